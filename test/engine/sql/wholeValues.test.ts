import { expect } from 'chai';
import fc from 'fast-check';
import { integerSummer } from '../../../src/engine/kernel/integerSummer.ts';
import { curvatureSummer, momentSummer } from '../../../src/engine/kernel/wholeSummer.ts';
import type { WholeQuestion } from '../../../src/engine/roundEngine.ts';
import { numbers } from '../../../src/engine/sql/arithmetic.ts';
import { valuesOf } from '../../../src/engine/sql/wholeQuestion.ts';
import { wholeValues } from '../../../src/engine/sql/wholeValues.ts';
import { slopeOfSlope } from '../../../src/method/loss/loss.ts';
import { pseudoHuber } from '../../../src/method/loss/pseudoHuber.ts';
import { sampleBatch } from '../../../src/sample/sampleBatch.ts';
import { samplesOf } from '../../../src/sample/samples.ts';
import { scaledSamples } from '../../../src/sample/transform/scaledSamples.ts';
import { scalingOf } from '../../../src/sample/transform/scaling.ts';
import { engineRows } from '../../support/engineRows.ts';

describe('whole numbers of a row', () => {
  it('never have a longer norm than declared, whatever the values', () => {
    const any = fc.oneof(
      fc.double(),
      fc.double({ min: -1e6, max: 1e6 }),
      fc.constantFrom(Number.NaN, Infinity, -Infinity, 2 ** 52, 1e300),
    );
    fc.assert(
      fc.property(
        fc.array(any, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 2 ** 40 }),
        fc.nat(2 ** 26),
        (values, squaredNorm, reducedId) => {
          const whole = wholeValues(numbers, values, { squaredNorm, reducedId });
          expect(whole.every(Number.isInteger)).to.equal(true);
          const exact = whole.reduce((sum, value) => sum + BigInt(value) ** 2n, 0n);
          expect(exact <= BigInt(squaredNorm)).to.equal(true);
        },
      ),
    );
  });

  // With one feature, sums by halves and from left to right are the same; ids that count rows give the same dithers.
  it('add up to those of the kernels', async () => {
    const rows = 3000;
    const { x0, linear } = engineRows(rows, 1);
    const bounds = { intervals: [{ least: -2, most: 2.5 }] };
    const scaling = scalingOf({
      features: 1,
      bounds,
      target: { least: -8, most: 8 },
      intercept: true,
      scalesTarget: true,
    });
    const held = { ...scaling, rowLength: 1.1 };
    const loss = pseudoHuber(0.3);
    const at = Float64Array.of(0.4, -0.2);
    const grid = { grid: 2e-4, squaredNorm: 2 ** 22 };
    const along = Float64Array.of(1);
    const bend = { at: (score: number, target: number) => slopeOfSlope(loss, score, target), most: 1 };
    const curvature = { ...grid, loss, bend, lipschitz: 0.5, at, along, intercept: true, rows, norm: 0.5 };
    const moments = { ...grid, features: 1, rows, norm: 0.7, targetUnit: 0.5 };
    const change = { scaling: held, whitened: null };
    const questions: readonly (readonly [WholeQuestion, ReturnType<typeof momentSummer>])[] = [
      [
        {
          kind: 'gradients',
          part: null,
          blocks: 1,
          intercept: true,
          loss,
          at,
          quantization: { ...grid, clip: 0.2 },
          change,
        },
        integerSummer({ loss, at, blocks: 1, rowsPerBlock: rows, intercept: true, ...grid, clip: 0.2 }),
      ],
      [{ kind: 'moments', change, request: moments }, momentSummer(moments)],
      [{ kind: 'curvature', change, request: curvature }, curvatureSummer(curvature)],
    ];
    for (const [question, summer] of questions) {
      const sums: number[] = [];
      for (let i = 0; i < rows; i++) {
        const row = { features: [x0![i]!], target: linear![i]!, weight: 1 };
        const values = valuesOf(numbers, row, question.kind === 'moments' ? [] : [...at], question);
        wholeValues(numbers, values, { squaredNorm: grid.squaredNorm, reducedId: i }).forEach((value, j) => {
          sums[j] = (sums[j] ?? 0) + value;
        });
      }
      for await (const batch of scaledSamples(samplesOf(sampleBatch([x0!], linear!)), held).batches())
        summer.add(batch);
      const expected = [...summer.finish().sums];
      expect(expected.some(sum => Math.abs(sum) > 1000)).to.equal(true);
      expect(sums, question.kind).to.deep.equal(expected);
    }
  });
});
