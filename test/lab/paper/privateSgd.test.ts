import { expect } from 'chai';
import { ArgumentError } from '../../../src/errors.ts';
import { privateSgd } from '../../../src/lab/paper/privateSgd.ts';
import { normal } from '../../../src/math/random/normal.ts';
import { uniform } from '../../../src/math/random/random.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { norm, type Vector } from '../../../src/math/vector.ts';
import type { Loss } from '../../../src/method/loss/loss.ts';
import { ridge } from '../../../src/method/loss/ridge.ts';
import { squared } from '../../../src/method/loss/squared.ts';
import { privHtGdSmooth, utilPrivSgd } from '../../../src/plan/theorem/theorems.ts';
import { type SampleBatch, sampleBatch } from '../../../src/sample/sampleBatch.ts';
import { chiSquare, chiSquareThreshold } from '../../support/statistics.ts';

/** Rows of [-1, 1]^2 with y = x.(0.6, -0.3) + noise, |y| <= 1. */
function boundedRows(rows: number, seed = 1): SampleBatch {
  const random = seeded(seed, 'bounded rows');
  const draw = () => 2 * uniform(random) - 1;
  const columns = [Float64Array.from({ length: rows }, draw), Float64Array.from({ length: rows }, draw)];
  const target = Float64Array.from(
    { length: rows },
    (_, i) => 0.6 * columns[0]![i]! - 0.3 * columns[1]![i]! + 0.1 * draw(),
  );
  return sampleBatch(columns, target);
}

// D = 1 and ||x||_inf <= 1: L2 = sqrt(p) + p D
const problem = { features: 2, radius: 1, lipschitz: Math.SQRT2 + 2, epsilon: 0.9, delta: 1 / 3 };

describe('privateSgd', () => {
  it('follows its formulas, draw by draw, to the last bit', () => {
    const [n, start] = [6, Float64Array.of(3, 4)];
    const data = boundedRows(n);
    for (const gamma of [0, 0.4]) {
      const loss = gamma === 0 ? squared() : ridge(squared(), gamma);
      const iterates = [
        ...privateSgd({
          data,
          loss,
          prescription: utilPrivSgd({ ...problem, rows: n }),
          random: seeded(5, 'sgd'),
          start,
        }),
      ];

      const random = seeded(5, 'sgd');
      const L2 = Math.SQRT2 + 2;
      const variance = (32 * L2 ** 2 * Math.log(n * 3) * Math.log(3)) / 0.9 ** 2;
      // A start outside the ball is moved into it first.
      let theta = [3 / 5, 4 / 5];
      const expected: number[][] = [];
      for (let t = 0; t < n * n; t++) {
        const i = Math.floor(uniform(random) * n);
        const x = data.columns.map(column => column[i]!);
        const residual = x[0]! * theta[0]! + x[1]! * theta[1]! - data.target[i]!;
        const eta = (2 * 1) / Math.sqrt((t + 1) * (L2 ** 2 + 2 * variance));
        const moved = theta.map(
          (value, j) => value - eta * (residual * x[j]! + gamma * value + Math.sqrt(variance) * normal(random)),
        );
        const length = Math.hypot(...moved);
        theta = length > 1 ? moved.map(value => value / length) : moved;
        if ((t + 1) % n === 0) expected.push(theta);
      }
      expect(iterates.map(({ gradients }) => gradients)).to.deep.equal([6, 12, 18, 24, 30, 36]);
      iterates.forEach(({ theta: found }, k) => {
        found.forEach((value, j) => {
          expect(value).to.be.closeTo(expected[k]![j]!, 1e-12);
        });
      });
    }
  });

  it('stays in the ball, wherever it starts and however loud the noise is', () => {
    const prescription = utilPrivSgd({ ...problem, rows: 30, radius: 0.25, epsilon: 0.01 });
    const start = Float64Array.of(40, -30);
    for (const { theta } of privateSgd({
      data: boundedRows(30),
      loss: squared(),
      prescription,
      random: seeded(1, 'sgd'),
      start,
    })) {
      expect(norm(theta)).to.be.at.most(0.25);
    }
  });

  it('improves the risk of a poor start, though the noise is many times a gradient', () => {
    const data = boundedRows(200);
    const risk = (theta: Vector) =>
      data.target.reduce((sum, y, i) => {
        const score = data.columns[0]![i]! * theta[0]! + data.columns[1]![i]! * theta[1]!;
        return sum + (y - score) ** 2 / 2 / data.rows;
      }, 0);
    const start = Float64Array.of(-0.9, 0.4);
    const prescription = utilPrivSgd({ ...problem, rows: 200 });
    expect(prescription.privacy!.sigma! / problem.lipschitz).to.be.above(10);
    const final = Array.from({ length: 10 }, (_, seed) => {
      const iterates = [...privateSgd({ data, loss: squared(), prescription, random: seeded(seed, 'sgd'), start })];
      expect(iterates).to.have.length(200);
      return risk(iterates.at(-1)!.theta);
    });
    const best = risk(Float64Array.of(0.6, -0.3));
    const average = final.reduce((sum, value) => sum + value, 0) / final.length;
    expect(risk(start) - best).to.be.above(0.3);
    expect(average - best).to.be.below((risk(start) - best) / 2);
  });

  // False alarms: 1e-9 on either side, by the bounds of Laurent and Massart.
  it('draws rows uniformly and with replacement', () => {
    const [n, counts] = [200, new Float64Array(200)];
    const columns = [new Float64Array(n), new Float64Array(n)];
    const data = sampleBatch(
      columns,
      Float64Array.from({ length: n }, (_, i) => i),
    );
    const loss: Loss = {
      ...squared(),
      slope(_score, row) {
        counts[row]! += 1;
        return 0;
      },
    };
    const run = privateSgd({
      data,
      loss,
      prescription: utilPrivSgd({ ...problem, rows: n }),
      random: seeded(2, 'sgd'),
    });
    run.next();
    expect(counts.some(count => count > 1)).to.equal(true);
    expect(counts.some(count => count === 0)).to.equal(true);
    for (const _ of run);
    expect(counts.reduce((sum, count) => sum + count, 0)).to.equal(n * n);
    const statistic = chiSquare(counts, new Float64Array(n).fill(1 / n));
    expect(statistic).to.be.below(chiSquareThreshold(n - 1));
    // Passes over the rows would give 0.
    expect(statistic).to.be.above(n - 1 - 2 * Math.sqrt((n - 1) * -Math.log(1e-9)));
  });

  it('repeats itself for a seed, and differs for another', () => {
    const run = (seed: number) => [
      ...privateSgd({
        data: boundedRows(20),
        loss: squared(),
        prescription: utilPrivSgd({ ...problem, rows: 20 }),
        random: seeded(seed, 'sgd'),
      }),
    ];
    expect(run(1)).to.deep.equal(run(1));
    expect(run(2)).not.to.deep.equal(run(1));
  });

  it('counts a row by its weight', () => {
    const data = boundedRows(20);
    const prescription = utilPrivSgd({ ...problem, rows: 20 });
    const last = (weights: Float64Array, loss = squared()) => {
      const run = privateSgd({ data: { ...data, weights }, loss, prescription, random: seeded(1, 'sgd') });
      return [...run].at(-1)!.theta;
    };
    const doubled: Loss = { ...squared(), slope: (score, target) => 2 * (score - target) };
    expect(last(new Float64Array(20).fill(2))).to.deep.equal(last(new Float64Array(20).fill(1), doubled));
  });

  it('refuses, before it begins, more than 1,000 rows, other theorems, other rows and other starts', () => {
    const data = boundedRows(20);
    const call = (options: object) => () =>
      privateSgd({
        data,
        loss: squared(),
        prescription: utilPrivSgd({ ...problem, rows: 20 }),
        random: seeded(1, 'sgd'),
        ...options,
      });
    const required = 'prescription must come from theorem Util_Priv_SGD with its conditions met, got ';
    expect(call({})).not.to.throw();
    for (const [prescription, name] of [
      [utilPrivSgd({ ...problem, rows: 20, epsilon: 1 }), 'Util_Priv_SGD'],
      [privHtGdSmooth({ ...problem, rows: 1000, smoothness: 1, failureProbability: 0.1 }), 'Priv_HT_GD_Smooth'],
    ] as const) {
      expect(call({ prescription })).to.throw(ArgumentError, `${required}"${name}"`);
    }
    expect(call({ prescription: utilPrivSgd({ ...problem, rows: 30 }) })).to.throw(
      ArgumentError,
      'the length of data must be 30, got 20',
    );
    expect(call({ data: boundedRows(1001), prescription: utilPrivSgd({ ...problem, rows: 1001 }) })).to.throw(
      ArgumentError,
      'rows must be at most 1000 for private SGD, which takes n^2 steps, got 1001',
    );
    expect(call({ start: new Float64Array(3) })).to.throw(ArgumentError, 'the length of start must be 2, got 3');
    expect(call({ start: Float64Array.of(0, Number.NaN) })).to.throw(ArgumentError, 'start[1] must be a finite number');
  });
});
