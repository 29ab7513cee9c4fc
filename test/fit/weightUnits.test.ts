import { expect } from 'chai';
import { type FitRowsOptions, fitRows } from '../../src/fit/fitRows.ts';
import { explainEstimate } from '../../src/inference/diagnostics/explainEstimate.ts';
import { normal } from '../../src/math/random/normal.ts';
import { uniform } from '../../src/math/random/random.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { l2Ball } from '../../src/method/constraint/l2Ball.ts';
import { lossByName } from '../../src/method/loss/lossByName.ts';
import { sampleBatch } from '../../src/sample/sampleBatch.ts';
import { samplesOf } from '../../src/sample/samples.ts';
import { expectClose } from '../support/close.ts';

const rows = 6000;
const random = seeded(1, 'weight units');
const x = Float64Array.from({ length: rows }, () => normal(random));
const level = Float64Array.from({ length: rows }, () => (uniform(random) < 0.1 ? 1 : 0));
const counts = Float64Array.from({ length: rows }, () => 0.5 + uniform(random));
const score = x.map((value, i) => value - 0.5 * level[i]! + 0.3);
const noise = Float64Array.from({ length: rows }, () => normal(random));
const chance = Float64Array.from({ length: rows }, () => uniform(random));

const classes = score.map((value, i) => (chance[i]! < 1 / (1 + Math.exp(-value)) ? 1 : 0));
/** Events in the level are rare enough that thresholds of the pilot are near. */
const rare = score.map((value, i) => (chance[i]! < 1 / (1 + Math.exp(5 - value)) ? 1 : 0));
const lines = score.map((value, i) => value + noise[i]!);

const cases: readonly (readonly [string, Float64Array, FitRowsOptions])[] = [
  ['the default', lines, {}],
  ['least squares with a ridge', lines, { loss: lossByName('squared') }],
  ['pseudo-Huber', lines, { loss: lossByName('pseudo-huber', { parameter: 1 }) }],
  ['classes', classes, {}],
  ['rare classes', rare, {}],
  ['counts', rare, { loss: lossByName('poisson') }],
  ['fresh chunks', lines, { mode: 'fresh' }],
  ['classes in fresh chunks', classes, { mode: 'fresh' }],
  ['a ball', lines, { constraint: l2Ball(0.8) }],
];

describe('the unit of weights', () => {
  for (const [name, target, options] of cases) {
    it(`changes nothing of ${name}: neither coefficients, nor intervals, nor notes`, async () => {
      const fitted = async (unit: number) => {
        const batch = { ...sampleBatch([x, level], target), weights: counts.map(count => count * unit) };
        // A ridge is held against the risk, which is in the unit of the weights.
        const found = await fitRows(samplesOf(batch), {
          ...options,
          ...(name.endsWith('ridge') && { penalty: 0.1 * unit }),
        });
        const { notes } = explainEstimate(found, {
          names: ['x', 'level'],
          order: 'shuffle',
        });
        return { ...found, notes };
      };
      const usual = await fitted(1);
      // Of a ball nobody has intervals; of all others they are compared.
      expect(usual.uncertainty === null).to.equal(name === 'a ball');
      for (const unit of [1e-3, 1 / rows, 5000]) {
        const { fit, uncertainty, notes } = await fitted(unit);
        fit.theta.forEach((value, j) => {
          expectClose(value, usual.fit.theta[j]!, 1e-6);
        });
        expect(uncertainty === null).to.equal(usual.uncertainty === null);
        uncertainty?.errors.forEach((error, j) => {
          expectClose(error, usual.uncertainty!.errors[j]!, 1e-5);
        });
        const withoutRidge = (note: string): string => note.replace(/`penalty: \S+`/, '`penalty`');
        expect(notes.map(withoutRidge)).to.deep.equal(usual.notes.map(withoutRidge));
      }
    });
  }
});
