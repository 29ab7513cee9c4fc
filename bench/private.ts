/**
 * What private fits are off by, beside what their plans predict: 40 settings of p, n, epsilon and bounds 1 to 10 times
 * wider than what they hold, 8 draws each, seeded. Writes bench/private.json and prints the table of docs/privacy.md.
 *
 * Rows: features uniform on [-1, 1], y = 0.5 + sum of +-sqrt(3/p) x + a normal error of 1; bounds are width times [-1, 1]
 * and width times [-4, 4]. Errors are root mean squares over draws of ||theta - truth|| in scaled coefficients.
 */

import { writeFileSync } from 'node:fs';
import { fitPrivate } from '../src/fit/private/fitPrivate.ts';
import { privateUncertainty } from '../src/inference/intervals/private/privateUncertainty.ts';
import { normal } from '../src/math/random/normal.ts';
import { uniform } from '../src/math/random/random.ts';
import { seeded } from '../src/math/random/seeded.ts';
import { pseudoHuber } from '../src/method/loss/pseudoHuber.ts';
import { planPrivate } from '../src/plan/private/planPrivate.ts';
import { sampleBatch } from '../src/sample/sampleBatch.ts';
import { samplesOf } from '../src/sample/samples.ts';
import { scalingOf } from '../src/sample/transform/scaling.ts';

const DRAWS = 8;

interface Setting {
  readonly features: number;
  readonly rows: number;
  readonly epsilon: number;
  readonly width: number;
}

async function measured({ features, rows, epsilon, width }: Setting) {
  const intervals = Array.from({ length: features }, () => ({ least: -width, most: width }));
  const target = { least: -4 * width, most: 4 * width };
  const scaling = scalingOf({ features, bounds: { intervals }, target, intercept: true, scalesTarget: true });
  const plan = planPrivate({ rows, loss: pseudoHuber(0.2), scaling, epsilon, delta: 1e-6 });
  const predicted =
    plan.predictedIfWider.find(other => other.width === width)?.predicted.total ?? plan.predicted!.total;
  const truth = Array.from({ length: features + 1 }, (_, j) =>
    j === features ? 0.5 : (j % 2 ? -1 : 1) * Math.sqrt(3 / features),
  );
  let [square, covered] = [0, 0];
  for (let draw = 0; draw < DRAWS; draw++) {
    const random = seeded(draw, 'rows');
    const columns = Array.from({ length: features }, () =>
      Float64Array.from({ length: rows }, () => 2 * uniform(random) - 1),
    );
    const y = Float64Array.from(
      { length: rows },
      (_, i) => columns.reduce((sum, column, j) => sum + truth[j]! * column[i]!, 0.5) + normal(random),
    );
    const found = await fitPrivate(samplesOf(sampleBatch(columns, y)), plan, { random: seeded(draw, 'noise') });
    const { errors, reach } = privateUncertainty(plan, found.released)!;
    truth.forEach((value, j) => {
      const off = Math.abs(found.theta[j]! - value);
      // A scaled slope is width/(4 width) of a slope, and a scaled intercept 1/(4 width) of an intercept.
      square += ((off * (j < features ? 1 : 1 / width)) / 4) ** 2 / DRAWS;
      covered += (off <= reach * errors[j]! ? 1 : 0) / (DRAWS * truth.length);
    });
  }
  const leastSquares = Math.sqrt((3 * features) / rows + 1 / rows / width ** 2) / 4;
  const actual = Math.sqrt(square);
  return { predicted, actual, ratio: predicted / actual, covered, overLeastSquares: actual / leastSquares };
}

const figures: (Setting & Awaited<ReturnType<typeof measured>>)[] = [];
for (const features of [2, 8])
  for (const rows of [5000, 20_000])
    for (const epsilon of [1, 3])
      for (const width of [1, 2, 3, 5, 10]) {
        const setting = { features, rows, epsilon, width };
        figures.push({ ...setting, ...(await measured(setting)) });
        const last = figures.at(-1)!;
        const cells = [last.predicted, last.actual, last.ratio, 100 * last.covered, last.overLeastSquares];
        console.log(
          `| ${features} | ${rows} | ${epsilon} | ${width} | ${cells.map(cell => cell.toPrecision(3)).join(' | ')} |`,
        );
      }
writeFileSync(new URL('private.json', import.meta.url), `${JSON.stringify(figures, null, 1)}\n`);
