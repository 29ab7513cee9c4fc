/** The paper's figures where they take minutes: the larger n of plot1 and plot3, and the thousands of medians of plot6 and plot7. */
import { plot1, plot3, plot6, plot7 } from '../support/figureRuns.ts';
import { each, reproduces } from '../support/reproduces.ts';

const inFull = [6000, 8000, 10_000];
reproduces('plot1', {
  run: () => plot1(inFull, 40),
  series: each(['ACCFW', 'FW'], ['eps=0.5', 'eps=0.9']),
  xs: inFull,
});

const inChunks = [50_000, 100_000];
reproduces('plot3', {
  run: () => plot3(inChunks, 50),
  series: each(['GD', 'AGD'], ['eps=0.1', 'eps=0.9']),
  xs: inChunks,
});

// At n = 50,000, the vectors' last, it would be a quarter of an hour more.
const singular = [1000, 5000, 20_000];
reproduces('plot6', {
  run: () => plot6([3, 6, 9], singular, 20),
  series: each(['ACCFW', 'FW'], ['m=3', 'm=6', 'm=9']),
  xs: singular,
});

const regular = [500, 2000, 10_000, 20_000];
reproduces('plot7', { run: () => plot7(regular, 40), series: ['ACCFW', 'FW'], xs: regular });
