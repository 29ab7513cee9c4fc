import { readFileSync } from 'node:fs';

import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { fitRows } from '../../../../src/fit/fitRows.ts';
import type { FittedRun } from '../../../../src/inference/fittedRun.ts';
import { type SampleBatch, sampleBatch } from '../../../../src/sample/sampleBatch.ts';
import { samplesOf } from '../../../../src/sample/samples.ts';

const folder = join(dirname(fileURLToPath(import.meta.url)), '../../../../node_modules/vega-datasets');

/** Rows of a JSON file that have all of these numbers, the last of which is the target; at most 400. */
function read(file: string, ...names: readonly string[]): SampleBatch {
  const records = JSON.parse(readFileSync(join(folder, 'data', file), 'utf8')) as Record<string, unknown>[];
  const whole = records.filter(record => names.every(name => Number.isFinite(record[name]))).slice(0, 400);
  const columns = names.map(name => Float64Array.from(whole, record => record[name] as number));
  return sampleBatch(columns.slice(0, -1), columns.at(-1)!);
}

const sets: Readonly<Record<string, SampleBatch>> = {
  cars: read('cars.json', 'Horsepower', 'Weight_in_lbs', 'Acceleration', 'Miles_per_Gallon'),
  displacement: read('cars.json', 'Cylinders', 'Miles_per_Gallon', 'Weight_in_lbs', 'Displacement'),
  penguins: read('penguins.json', 'Beak Length (mm)', 'Beak Depth (mm)', 'Flipper Length (mm)', 'Body Mass (g)'),
  beaks: read('penguins.json', 'Body Mass (g)', 'Flipper Length (mm)', 'Beak Length (mm)'),
  films: read('movies.json', 'Production Budget', 'IMDB Rating', 'US Gross'),
  ratings: read('movies.json', 'IMDB Votes', 'Running Time min', 'IMDB Rating'),
  barley: read('barley.json', 'year', 'yield'),
  fertility: read('gapminder.json', 'year', 'life_expect', 'fertility'),
  obesity: read('obesity.json', 'id', 'rate'),
  driving: read('flights-2k.json', 'distance', 'delay'),
};

const fitted = (batch: SampleBatch): Promise<FittedRun> => fitRows(samplesOf(batch), { order: 'as-is' });

const moved = (batch: SampleBatch, column: (values: Float64Array) => Float64Array): SampleBatch =>
  sampleBatch(batch.columns.map(column), column(batch.target));

describe('the default on real rows', () => {
  for (const [name, batch] of Object.entries(sets)) {
    it(`does not depend on the order of rows, nor on constant and doubled columns: ${name}`, async () => {
      const { fit, uncertainty } = await fitted(batch);
      const p = batch.columns.length;
      const agrees = (found: FittedRun, at: (j: number) => number, what: string): void => {
        for (let j = 0; j <= p; j++) {
          const difference = Math.abs(found.fit.theta[at(j)]! - fit.theta[j]!);
          expect(difference / uncertainty!.errors[j]!, `${what} ${j}`).to.be.below(1e-6);
        }
      };
      agrees(await fitted(moved(batch, values => values.slice().reverse())), j => j, 'reversed');
      const wide = sampleBatch(
        [...batch.columns, new Float64Array(batch.rows).fill(3), batch.columns[0]!.slice()],
        batch.target,
      );
      agrees(await fitted(wide), j => (j === p ? p + 2 : j), 'wider');
    });

    it(`moves by half a standard error at most in other units: ${name}`, async () => {
      const usual = await fitted(batch);
      const [scale, shift] = [1000, 7];
      const { fit } = await fitted(
        sampleBatch(
          batch.columns.map(values => values.map(value => scale * value)),
          batch.target.map(value => value / scale + shift),
        ),
      );
      batch.columns.forEach((_, j) => {
        const back = fit.theta[j]! * scale ** 2;
        expect(Math.abs(back - usual.fit.theta[j]!) / usual.uncertainty!.errors[j]!, String(j)).to.be.below(0.75);
      });
    });

    it(`moves by two standard errors at most without any of some rows: ${name}`, async () => {
      const { fit, uncertainty } = await fitted(batch);
      for (let k = 0; k < 8; k++) {
        const out = Math.floor(((k + 0.5) * batch.rows) / 8);
        const without = await fitted(moved(batch, values => values.filter((_, i) => i !== out)));
        batch.columns.forEach((_, j) => {
          const size = Math.abs(without.fit.theta[j]! - fit.theta[j]!) / uncertainty!.errors[j]!;
          expect(size, `without row ${out}: ${j}`).to.be.below(2);
        });
      }
    });
  }
});
