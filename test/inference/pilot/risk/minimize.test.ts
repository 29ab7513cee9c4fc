import { expect } from 'chai';
import { irls, minimize } from '../../../../src/inference/pilot/risk/minimize.ts';
import { weightedRisk } from '../../../../src/inference/pilot/risk/weightedRisk.ts';
import { normal } from '../../../../src/math/random/normal.ts';
import { uniform } from '../../../../src/math/random/random.ts';
import { seeded } from '../../../../src/math/random/seeded.ts';
import { studentT } from '../../../../src/math/random/studentT.ts';
import { distance, norm, type Vector, zeros } from '../../../../src/math/vector.ts';
import { gemanMcClure } from '../../../../src/method/loss/gemanMcClure.ts';
import { logistic } from '../../../../src/method/loss/logistic.ts';
import type { Loss } from '../../../../src/method/loss/loss.ts';
import { pseudoHuber } from '../../../../src/method/loss/pseudoHuber.ts';
import { squared } from '../../../../src/method/loss/squared.ts';
import { tukey } from '../../../../src/method/loss/tukey.ts';
import { sampleBatch } from '../../../../src/sample/sampleBatch.ts';
import { solveBy } from '../../../support/linearAlgebra.ts';

const rows = 400;
const random = seeded('settle', 'rows');
const columns = Array.from({ length: 3 }, () => Float64Array.from({ length: rows }, () => normal(random)));
const target = Float64Array.from(
  { length: rows },
  (_, i) => 1 + columns[0]![i]! - 2 * columns[1]![i]! + studentT(random, 2),
);
const batch = sampleBatch(columns, target);
const weights = Float64Array.from({ length: rows }, () => 2 * uniform(random));
const options = { intercept: true, weights, penalties: Float64Array.of(0.1, 0, 0.3, 0) };
const risk = weightedRisk(batch, options);

/** The risk's slope along every coordinate, by differences of its value. */
const slopes = (loss: Loss, theta: Vector, of = risk): Vector =>
  theta.map((value, j) => {
    const at = (moved: number): number => of.value(loss, theta.with(j, value + moved));
    return (at(1e-5) - at(-1e-5)) / 2e-5;
  });

describe('minimize', () => {
  it('finds weighted ridge least squares, which has a closed form', () => {
    const x = [...columns, new Float64Array(rows).fill(1)];
    const mean = (a: Vector, b: Vector): number =>
      weights.reduce((sum, weight, i) => sum + weight * a[i]! * b[i]!, 0) / rows;
    const matrix = x.map((own, j) =>
      Float64Array.from(x, (other, k) => mean(own, other) + (j === k ? options.penalties[j]! : 0)),
    );
    const right = Float64Array.from(x, own => mean(own, target));
    const found = minimize(risk, squared(), zeros(4), options);
    expect(distance(found, solveBy(matrix, right))).to.be.below(1e-8);
  });

  it('stops where the risk is level, from wherever it begins', () => {
    const classes = weightedRisk(
      sampleBatch(
        columns,
        target.map(y => (y > 0 ? 1 : 0)),
      ),
      options,
    );
    for (const [loss, of] of [
      [pseudoHuber(0.7), risk],
      [logistic(), classes],
    ] as const) {
      for (const from of [zeros(4), Float64Array.of(3, -2, 1, 4)]) {
        expect(norm(slopes(loss, minimize(of, loss, from, options), of))).to.be.below(1e-4);
      }
    }
  });

  it('leaves a coordinate that says nothing of its own where it is', () => {
    const twice = sampleBatch([columns[0]!, columns[0]!], target);
    const plain = { intercept: false, weights };
    const found = minimize(weightedRisk(twice, plain), squared(), Float64Array.of(0, 5), plain);
    expect(found[1]).to.equal(5);
    const alone = minimize(weightedRisk(sampleBatch([columns[0]!], target), plain), squared(), zeros(1), plain);
    expect(found[0]! + 5).to.be.closeTo(alone[0]!, 1e-9);
  });

  it('writes to no start', () => {
    const from = zeros(4);
    minimize(risk, squared(), from, options);
    expect(from).to.deep.equal(zeros(4));
  });
});

describe('reweigh', () => {
  it('ends where the risk is level, also of a loss that is not convex', () => {
    for (const loss of [gemanMcClure(2), gemanMcClure(6), tukey(6), pseudoHuber(0.7)]) {
      const found = irls(batch, loss, zeros(4), options);
      expect(norm(slopes(loss, found)), loss.name).to.be.below(1e-3);
    }
  });

  it('never ends higher than it began, wherever that was', () => {
    for (let seed = 0; seed < 40; seed++) {
      const draw = seeded('settle', `start ${seed}`);
      const from = zeros(4).map(() => 4 * normal(draw));
      for (const loss of [gemanMcClure(1), gemanMcClure(4)]) {
        expect(risk.value(loss, irls(batch, loss, from, options))).to.be.at.most(risk.value(loss, from));
      }
    }
  });

  it('stays where a line meets every row', () => {
    const line = sampleBatch(
      columns,
      columns[0]!.map((x, i) => 3 + x - columns[2]![i]!),
    );
    const truth = Float64Array.of(1, 0, -1, 3);
    const plain = { intercept: true, weights };
    expect(distance(irls(line, gemanMcClure(1e-6), truth, plain), truth)).to.be.below(1e-9);
  });
});
