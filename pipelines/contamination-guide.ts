// Which loss and which aggregate for which data: ||slopes - true slopes|| of `estimate` with each, medians over a few seeds. 50,000 rows, 5 features, noise of
// scale 1. A share of the rows has shifted targets (y + 20), or extreme features, in one cluster or on all sides, and follows the opposite slopes.

import * as fits from '../src/fit/index.ts';
import * as flow from '../src/flow/index.ts';
import * as sluice from '../src/index.ts';
import * as paper from '../src/lab/paper/index.ts';
import * as methods from '../src/method/index.ts';

const [rows, truth, seeds] = [50_000, methods.filled(5, 1), Number(process.argv[2] ?? 5)];
const kinds = ['clean', 'heavy tails', 'other y', 'cluster', 'spread'];
const column = (draw: () => number) => Float64Array.from({ length: rows }, draw);
function drawn(kind: string, share: number, seed: number): sluice.Samples {
  const random = sluice.seeded(seed, kind);
  const gauss = () => paper.normal(random);
  const columns = Array.from(truth, () => column(gauss));
  const target = column(kind === 'heavy tails' ? () => paper.studentT(random, 2.1) : gauss);
  const shift = kind === 'cluster' ? 10 : 0;
  for (let i = 0; i < rows; i++) {
    const isOther = kinds.indexOf(kind) > 1 && paper.uniform(random) < share;
    if (isOther) for (const x of columns) x[i] = kind === 'spread' ? 10 * x[i]! : x[i]! + shift;
    const score = columns.reduce((sum, x) => sum + x[i]!, 0);
    target[i]! += isOther ? (kind === 'other y' ? score + 20 : -score) : score;
  }
  return flow.samplesOf(flow.sampleBatch(columns, target));
}
async function errorOf(kind: string, share: number, options: fits.FitRowsOptions): Promise<string> {
  const errors = new Float64Array(seeds);
  for (const seed of errors.keys()) {
    const { fit } = await fits.fitRows(drawn(kind, share, seed), options);
    errors[seed] = methods.distance(fit.theta.subarray(0, truth.length), truth);
  }
  return errors.sort()[Math.floor(seeds / 2)]!.toFixed(3);
}
const line = (...cells: string[]) => console.log(`| ${cells.join(' | ')} |`);
line('loss', 'aggregate', ...kinds);
for (const loss of [methods.lossByName('squared'), 'auto'] as const) {
  for (const how of ['mean', 'median-of-means', { huber: 0.1 }, 'auto'] as const) {
    const name = `${loss === 'auto' ? loss : loss.name} | ${typeof how === 'object' ? 'huber:0.1' : how}`;
    line(name, ...(await Promise.all(kinds.map(kind => errorOf(kind, 0.05, { loss, aggregate: how })))));
  }
}
const shares = [0.05, 0.1, 0.2, 0.3, 0.4];
line('auto, auto', ...shares.map(share => `${100 * share} %`));
for (const kind of kinds.slice(2)) line(kind, ...(await Promise.all(shares.map(s => errorOf(kind, s, {})))));
