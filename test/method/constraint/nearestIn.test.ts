import { expect } from 'chai';
import { normal } from '../../../src/math/random/normal.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { distance, dot, filled, norm, subtract, times, type Vector } from '../../../src/math/vector.ts';
import { allButLast } from '../../../src/method/constraint/allButLast.ts';
import { box } from '../../../src/method/constraint/box.ts';
import type { Constraint } from '../../../src/method/constraint/constraint.ts';
import { everywhere } from '../../../src/method/constraint/constraint.ts';
import { l1Ball } from '../../../src/method/constraint/l1Ball.ts';
import { l2Ball } from '../../../src/method/constraint/l2Ball.ts';
import { nearestIn } from '../../../src/method/constraint/nearestIn.ts';

const setsOf = (size: number, radius: number): Readonly<Record<string, Constraint>> => ({
  'an l1 ball': l1Ball(radius),
  'an l2 ball': l2Ball(radius),
  'a box': box(filled(size, -radius), filled(size, radius / 2)),
});

/** Moments of features that share a part of themselves, in units that differ by so much. */
function metricOf(seed: number, size: number, shared: number, units: number): Float64Array {
  const random = seeded(seed, 'metric');
  const rows = Array.from({ length: 3 * size }, () => {
    const common = shared * normal(random);
    return Float64Array.from({ length: size }, (_, j) => units ** (j / size - 0.5) * (common + normal(random)));
  });
  const metric = new Float64Array(size * size);
  for (const row of rows) {
    for (let i = 0; i < size; i++)
      for (let j = 0; j < size; j++) metric[i * size + j]! += (row[i]! * row[j]!) / rows.length;
  }
  return metric;
}

const pointOf = (seed: number, size: number): Vector => {
  const random = seeded(seed, 'point');
  return Float64Array.from({ length: size }, () => 2 * normal(random));
};

/** How much nearer another point of the set could be at most, in shares of the distance. */
function gap(constraint: Constraint, metric: Float64Array, point: Vector, found: Vector): number {
  const away = subtract(found, point);
  const slope = times(metric, away);
  return dot(slope, subtract(found, constraint.minimizeLinear(slope))) / dot(slope, away);
}

describe('nearestIn', () => {
  for (const name of Object.keys(setsOf(1, 1))) {
    for (const [shared, units] of [
      [0, 1],
      [3, 1],
      [1000, 1],
      [1, 1e6],
    ] as const) {
      it(`finds the nearest point of ${name}, of features that share ${shared} parts and differ ${units} times in units`, () => {
        for (let seed = 1; seed <= 60; seed++) {
          const size = 1 + (seed % 12);
          const radius = [0.1, 1, 3][seed % 3]!;
          const [metric, point] = [metricOf(seed, size, shared, units), pointOf(seed, size)];
          const constraint = setsOf(size, radius)[name]!;
          const found = nearestIn(constraint, metric, point);
          expect(constraint.contains(found)).to.equal(true);
          if (constraint.contains(point)) expect([...found]).to.deep.equal([...point]);
          else expect(gap(constraint, metric, point, found), `seed ${seed}`).to.be.below(1e-6);
        }
      });
    }

    it(`leaves the last coordinate free beside ${name}, and puts it where it is best`, () => {
      for (let seed = 1; seed <= 30; seed++) {
        const size = 2 + (seed % 5);
        const [metric, point] = [metricOf(seed, size, 1, 1), pointOf(seed, size)];
        const inner = setsOf(size - 1, 0.5)[name]!;
        const found = nearestIn(allButLast(inner), metric, point);
        const slope = times(metric, subtract(found, point));
        expect(Math.abs(slope.at(-1)!)).to.be.below(1e-12 * norm(slope) + 1e-12);
        const head = found.subarray(0, -1);
        expect(dot(slope.subarray(0, -1), subtract(head, inner.minimizeLinear(slope.subarray(0, -1))))).to.be.below(
          1e-9,
        );
      }
    });
  }

  it('comes close over a set of which only the projection is known', () => {
    const [metric, point] = [metricOf(5, 4, 1, 1), pointOf(5, 4)];
    const { projectIn: _, ...unknown } = l1Ball(0.5);
    expect(distance(nearestIn(unknown, metric, point), nearestIn(l1Ball(0.5), metric, point))).to.be.below(1e-9);
  });

  it('goes through columns that are equally good at once', () => {
    const metric = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
    const found = nearestIn(l1Ball(1.5), metric, Float64Array.of(1, -1, 1));
    expect([...found].map(value => Number(value.toFixed(12)))).to.deep.equal([0.5, -0.5, 0.5]);
  });

  it('leaves points as they are where everything is allowed', () => {
    expect([...nearestIn(everywhere(), Float64Array.of(1, 0, 0, 1), Float64Array.of(3, 4))]).to.deep.equal([3, 4]);
  });
});
