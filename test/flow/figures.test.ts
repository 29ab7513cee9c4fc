/** The paper's figures, as far as they take seconds; the rest is in test/slow. */
import { plot1, plot3, plot4, plot5 } from '../support/figureRuns.ts';
import { each, reproduces } from '../support/reproduces.ts';

const inFull = [500, 2000, 4000];
reproduces('plot1', {
  run: () => plot1(inFull, 40),
  series: each(['ACCFW', 'FW'], ['eps=0.5', 'eps=0.9']),
  xs: inFull,
});

const inChunks = [1000, 5000, 20_000];
reproduces('plot3', {
  run: () => plot3(inChunks, 50),
  series: each(['GD', 'AGD'], ['eps=0.1', 'eps=0.9']),
  xs: inChunks,
});

const steps = [0, 5, 10, 15, 20];
reproduces('plot4', {
  run: () => plot4([600, 900, 1200, 1500], steps, 20),
  series: each(['GD', 'AGD'], ['n=600', 'n=900', 'n=1200', 'n=1500']),
  xs: steps,
});

const toLarge = [2000, 10_000, 30_000, 50_000];
reproduces('plot5', { run: () => plot5(toLarge, 20), series: ['GD', 'AGD'], xs: toLarge });
