/**
 * Figures 3, 5 and 7 of the paper, their primary readings at every n of the figure, compared with a vectorised numpy
 * script (figures.py) for the same number of seeds. Each side draws its own data, so medians agree only as well as
 * those of different seeds; they are printed for inspection. Two measures: the processor time of the work alone, in one
 * process each, and the elapsed time of everything, with as many of our processes as the machine runs. Medians of three
 * rounds.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { figureByName } from '../src/lab/paper/index.ts';
import { pythonWith } from './peers.ts';
import { saveResults } from './results.ts';

/**
 * Seeds by figure: as many as the reference numbers have (test/vectors/figures.csv), except for plot7, for which numpy
 * would take 20 seconds for each of 40.
 */
const figures = { plot3: 50, plot5: 20, plot7: 2 };

interface Measured {
  readonly processorSeconds: number;
  readonly medians: Readonly<Record<string, number>>;
}

/** Runs a program for one figure and returns what it reports, and how long it took. */
function timed(
  program: string,
  file: string,
  [name, seeds]: readonly [string, number],
  processes?: number,
): Measured & { readonly clock: number } {
  const sizes = figureByName(name).studies[0]!.sizes;
  const asked = JSON.stringify({ name, seeds, sizes, processes });
  const begun = performance.now();
  const text = execFileSync(program, [fileURLToPath(new URL(file, import.meta.url)), asked], {
    encoding: 'utf8',
    env: { ...process.env, OPENBLAS_NUM_THREADS: '1' },
  });
  return { ...JSON.parse(text), clock: (performance.now() - begun) / 1000 };
}

const rounded = (value: number): number => Number(value.toPrecision(3));
const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** Contenders take turns, because the speed of a machine drifts; ratios are within a round. */
const ROUNDS = 3;

const python = pythonWith(['numpy']);
const results = Object.fromEntries(
  Object.entries(figures).map(task => {
    const [name, seeds] = task;
    const rounds = Array.from({ length: ROUNDS }, () => ({
      alone: timed(process.execPath, 'figuresRun.mjs', task, 1),
      peer: timed(python, 'figures.py', task),
      together: timed(process.execPath, 'figuresRun.mjs', task),
    }));
    const { alone, peer } = rounds[0]!;
    for (const [series, value] of Object.entries(alone.medians)) {
      console.log(`${name} ${series}: ${value.toFixed(3)}, numpy ${peer.medians[series]!.toFixed(3)}`);
    }
    const over = (measured: (round: (typeof rounds)[number]) => number): number =>
      rounded(median(rounds.map(measured)));
    return [
      name,
      {
        seeds,
        rounds: ROUNDS,
        processorSeconds: over(({ alone }) => alone.processorSeconds),
        numpyProcessorSeconds: over(({ peer }) => peer.processorSeconds),
        numpyOverOurs: over(({ alone, peer }) => peer.processorSeconds / alone.processorSeconds),
        clockSeconds: over(({ alone }) => alone.clock),
        clockSecondsOfAllProcesses: over(({ together }) => together.clock),
        numpyClockSeconds: over(({ peer }) => peer.clock),
        numpyOverOursByClock: over(({ peer, together }) => peer.clock / together.clock),
      },
    ];
  }),
);
console.log(results);
saveResults('figures', results);
