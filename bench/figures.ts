/**
 * Plots 3, 5 and 7 of the paper, primary readings: one process of ours against plain vectorised numpy with one thread, data included.
 * Processor time, not the clock's: neither side waits for anything, and a busy machine does not blur the ratio.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { figureByName, figureCells, type Point, runFigure } from '../src/index.ts';
import { pythonWith } from './peers.ts';
import { saveResults } from './results.ts';

const seeds = 5;
const sizes: Readonly<Record<string, readonly number[]>> = {
  plot3: [1000, 5000, 20_000, 50_000, 100_000],
  plot5: [2000, 10_000, 30_000, 50_000],
  plot7: [500, 2000, 10_000, 20_000],
};

const ours: Record<string, { seconds: number; medians: Record<string, number> }> = {};
for (const [name, wanted] of Object.entries(sizes)) {
  const begun = process.cpuUsage();
  const runs: Point[][] = [];
  for (let seed = 0; seed < seeds; seed++) {
    runs.push(await runFigure(figureByName(name), seed, { reading: 'primary', sizes: wanted }));
  }
  const last = figureCells(runs).filter(({ x }) => x === Math.max(...wanted));
  const { user, system } = process.cpuUsage(begun);
  ours[name] = {
    seconds: (user + system) / 1e6,
    medians: Object.fromEntries(last.map(({ series, median }) => [series, median])),
  };
}

const program = fileURLToPath(new URL('figures.py', import.meta.url));
const numpy: typeof ours = JSON.parse(
  execFileSync(pythonWith(['numpy']), [program, JSON.stringify({ seeds, sizes })], {
    encoding: 'utf8',
    env: { ...process.env, OPENBLAS_NUM_THREADS: '1' },
  }),
);

const rounded = (value: number): number => Number(value.toPrecision(3));
const results = Object.fromEntries(
  Object.entries(ours).map(([name, { seconds, medians }]) => {
    const peer = numpy[name]!;
    for (const [series, median] of Object.entries(medians)) {
      console.log(`${name} ${series}: ${median.toFixed(3)}, numpy ${peer.medians[series]!.toFixed(3)}`);
    }
    return [
      name,
      {
        seconds: rounded(seconds),
        numpySeconds: rounded(peer.seconds),
        numpyOverOurs: rounded(peer.seconds / seconds),
      },
    ];
  }),
);
console.log(results);
saveResults('figures', { seeds, ...results });
