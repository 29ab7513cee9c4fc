import { expect } from 'chai';
import fc from 'fast-check';
import { dot, filled, maxNorm, norm, scaled } from '../../src/math/vector.ts';
import { type Domain, domain, scoreBound } from '../../src/method/loss/domain.ts';
import type { Loss } from '../../src/method/loss/loss.ts';
import { holdsForAll, uniform } from './holdsForAll.ts';

/**
 * What every loss owes. The bounds are tested from both sides: never exceeded by a row and a parameter of
 * a random declared domain, and reached to a factor of `tightness` by the worst of them.
 */
export function checkLoss(name: string, makeLoss: () => Loss, options: LossOptions = {}): void {
  const { targetBounds: [leastBound, mostBound] = [0, 3], tightness = 1.001, isConvex = true } = options;
  const loss = makeLoss();
  const within = (target: number) => Math.min(Math.max(target, loss.targets.least), loss.targets.most);
  const targets = uniform(-mostBound, mostBound).map(within);
  const domains = fc
    .record({
      features: fc.integer({ min: 1, max: 5 }),
      target: uniform(leastBound, mostBound),
      radius: uniform(0, 3),
      row: fc.oneof(fc.record({ norm: uniform(0.1, 3) }), fc.record({ max: uniform(0.1, 3) })),
    })
    .map(({ row, ...rest }) => domain({ ...rest, ...row }));

  describe(`${name} as a loss`, () => {
    it('is a frozen record, the same each time it is made', () => {
      expect(loss).to.be.frozen;
      expect(loss.targets).to.be.frozen;
      expect(makeLoss().name).to.equal(loss.name);
    });

    it('has a slope that is the central difference of its value', () => {
      holdsForAll(
        fc.property(scores, targets, (score, target) => {
          const h = 1e-5 * Math.max(1, Math.abs(score));
          const [below, above] = [score - h, score + h];
          const values = [loss.value(below, target), loss.value(above, target)] as const;
          const slopes = [loss.slope(below, target), loss.slope(score, target), loss.slope(above, target)] as const;
          const difference = (values[1] - values[0]) / (above - below);
          // h^2/6 of the third derivative, which is a sixth of the slopes' second difference
          const truncation = Math.abs(slopes[0] - 2 * slopes[1] + slopes[2]);
          const terms = Math.abs(values[0]) + Math.abs(values[1]) + Math.abs(target * score);
          const rounding = (8 * Number.EPSILON * terms) / h;
          expect(difference).to.be.closeTo(slopes[1], 1e-9 * Math.abs(slopes[1]) + truncation + rounding);
        }),
      );
    });

    if (isConvex) {
      it('is convex: the slope never falls as the score grows', () => {
        holdsForAll(
          fc.property(scores, scores, targets, (a, b, target) => {
            const [low, high] = [loss.slope(Math.min(a, b), target), loss.slope(Math.max(a, b), target)];
            expect(high - low).to.be.at.least(-4 * Number.EPSILON * (Math.abs(low) + Math.abs(target)));
          }),
        );
      });
    }

    it('is finite at scores of ±800', () => {
      for (const score of [-800, 800]) {
        for (const target of [-mostBound, 0, 0.5, 1, mostBound].map(within)) {
          expect(loss.value(score, target)).to.be.finite;
          expect(loss.slope(score, target)).to.be.finite;
        }
      }
    });

    it('has gradients within its Lipschitz constant, for all rows and parameters of a domain', () => {
      holdsForAll(
        fc.property(domains, coordinates, coordinates, shares, (bounds, row, parameter, [ofTarget, ofRadius]) => {
          const direction = row.slice(0, bounds.features);
          const x = scaled(direction, Math.min(bounds.max, bounds.norm / norm(direction)));
          const y = within(ofTarget * bounds.target);
          const theta = toBall(parameter.slice(0, bounds.features), ofRadius * bounds.radius);
          const gradient = scaled(x, loss.slope(dot(x, theta), y));
          expect(norm(gradient)).to.be.at.most(loss.lipschitz(bounds) * (1 + 1e-12));
        }),
      );
    });

    // The worst is at a corner where slopes do not fall; elsewhere a test of the loss's own must reach it.
    if (isConvex) {
      it(`has a Lipschitz constant that the worst row reaches to a factor of ${tightness}`, () => {
        holdsForAll(
          fc.property(domains, bounds => {
            const x = filled(bounds.features, bounds.norm / Math.sqrt(bounds.features));
            expect(maxNorm(x)).to.be.at.most(bounds.max * (1 + 1e-12));
            const reached = corners(bounds).map(([score, target]) => {
              const theta = toBall(scaled(x, score), bounds.radius);
              return norm(scaled(x, loss.slope(dot(x, theta), within(target))));
            });
            expect(Math.max(...reached) * tightness).to.be.at.least(loss.lipschitz(bounds));
          }),
        );
      });
    }

    it('has a slope that rises no faster than its smoothness', () => {
      holdsForAll(
        fc.property(domains, shares, targets, (bounds, [from, to], target) => {
          const [a, b] = [from * scoreBound(bounds), to * scoreBound(bounds)];
          const rise = Math.abs(loss.slope(b, target) - loss.slope(a, target)) * bounds.norm ** 2;
          const most = (loss.smoothness(bounds) - loss.penalty) * Math.abs(b - a);
          const terms = Math.abs(loss.slope(a, target)) + Math.abs(target);
          expect(rise).to.be.at.most(most + 1e-14 * (most + terms * bounds.norm ** 2));
        }),
      );
    });

    it(`has a smoothness that the steepest score reaches to a factor of ${tightness}`, () => {
      holdsForAll(
        fc.property(domains, bounds => {
          const h = 1e-6;
          const target = within(0);
          const rises = Array.from({ length: 65 }, (_, i) => {
            const score = (i / 32 - 1) * scoreBound(bounds);
            return (loss.slope(score, target) - loss.slope(score - h, target)) / h;
          });
          const reached = Math.max(...rises) * bounds.norm ** 2 + loss.penalty;
          expect(reached * tightness).to.be.at.least(loss.smoothness(bounds));
        }),
      );
    });

    it('states bounds that are numbers, infinite where one is undeclared, never NaN', () => {
      for (const norm of [0, 1, Infinity]) {
        for (const target of [0, 1, Infinity]) {
          for (const radius of [0, 1, Infinity]) {
            const bounds = domain({ features: 2, norm, target, radius });
            expect(loss.lipschitz(bounds)).to.be.at.least(0);
            expect(loss.smoothness(bounds)).to.be.at.least(loss.penalty);
          }
        }
      }
    });
  });
}

export interface LossOptions {
  /** The least and the most that a random domain declares of |y|; targets are also kept to the loss's own. */
  readonly targetBounds?: readonly [least: number, most: number];
  /** The most by which the Lipschitz constant and the smoothness may exceed what is attained. */
  readonly tightness?: number;
  /** True unless said otherwise. */
  readonly isConvex?: boolean;
}

const coordinates = fc
  .array(uniform(-1, 1), { minLength: 5, maxLength: 5 })
  .map(array => Float64Array.from(array))
  .filter(([first]) => first !== 0);

const shares = fc.tuple(uniform(-1, 1), uniform(-1, 1));

/** Magnitudes from 1e-6 to 800, of both signs. */
const scores = fc
  .tuple(uniform(-6, Math.log10(800)), fc.constantFrom(-1, 1))
  .map(([exponent, sign]) => sign * 10 ** exponent);

const corners = (bounds: Domain) =>
  [-1, 1].flatMap(score => [-1, 1].map(sign => [score, sign * bounds.target] as const));

const toBall = (direction: Float64Array, radius: number) => scaled(direction, radius / norm(direction));
