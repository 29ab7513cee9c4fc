/**
 * Gaussian differential privacy (mu-GDP): the exact guarantee of adding N(0, sigma^2 I) to a quantity of
 * l2 sensitivity mu * sigma, and of any adaptive composition of such steps with sum of mu_t^2 equal to mu^2.
 *
 *   delta_mu(eps) = Phi(-eps/mu + mu/2) - e^eps Phi(-eps/mu - mu/2)
 *                 = (2 pi)^(-1/2) * integral_0^inf exp(-(t + a)^2 / 2) (1 - exp(-mu t)) dt,   a = eps/mu - mu/2
 *
 * The integrand of the second form is positive, so nothing cancels: relative errors stay near 1e-13 down to
 * the smallest delta, in logarithms.
 *
 *   eps -> epsilon, delta_mu(eps) -> delta, mu*(eps, delta) -> muFor, rho = mu^2/2 -> zeroConcentrated
 *
 * Guarantee. Adjacency is replace-one. A mechanism is mu-GDP exactly when it is (eps, delta_mu(eps))-DP for
 * every eps >= 0.
 * Edge cases. mu = 0 releases nothing (delta 0); mu = Infinity is no privacy (delta 1, epsilon Infinity).
 */
import { refuse, requireNonNegative, requireProbability } from '../math/check.ts';
import { integratePanel } from '../math/gaussLegendre.ts';
import { solveIncreasing } from '../math/solveIncreasing.ts';

/** log delta_mu(eps): finite also where delta itself underflows. */
export function logDelta(mu: number, epsilon: number): number {
  requireMu(mu);
  requireNonNegative('epsilon', epsilon);
  if (mu === 0) return -Infinity;
  if (mu === Infinity) return 0;
  const a = epsilon / mu - mu / 2;
  return Math.min(0, logPeak(a) + Math.log(excess(a, mu)));
}

/** delta_mu(eps): the least delta for which a mu-GDP mechanism is (eps, delta)-DP. */
export const delta = (mu: number, epsilon: number): number => Math.exp(logDelta(mu, epsilon));

/** mu*(eps, delta): the largest mu whose mechanisms are all (eps, delta)-DP. */
export function muFor(epsilon: number, targetDelta: number): number {
  requireNonNegative('epsilon', epsilon);
  requireProbability('delta', targetDelta);
  const target = Math.log(targetDelta);
  // Two bounds from below: delta_mu(eps) <= delta_mu(0) < mu/sqrt(2 pi), and delta_mu(eps) <= exp(-a^2/2).
  const a0 = Math.sqrt(-2 * target);
  const bySlope = targetDelta * Math.sqrt(2 * Math.PI);
  const byTail = (2 * epsilon) / (a0 + Math.sqrt(a0 * a0 + 2 * epsilon));
  const low = Math.log(Math.max(bySlope, byTail));
  let high = low + 1;
  while (logDelta(Math.exp(high), epsilon) < target) high += 1;
  const logMu = solveIncreasing(
    x => {
      const mu = Math.exp(x);
      const a = epsilon / mu - mu / 2;
      const integral = excess(a, mu);
      // d log(delta) / d log(mu) = mu * phi(a) / delta; phi(a) and delta share the factor exp(logPeak).
      const slope = (mu * Math.exp((-a * a) / 2 - LOG_ROOT_TWO_PI - logPeak(a))) / integral;
      return { value: logPeak(a) + Math.log(integral) - target, slope };
    },
    { low, high, start: low },
  );
  return Math.exp(logMu);
}

/** The least epsilon for which a mu-GDP mechanism is (epsilon, delta)-DP. */
export function epsilonFor(mu: number, targetDelta: number): number {
  requireMu(mu);
  requireProbability('delta', targetDelta);
  if (mu === Infinity) return Infinity;
  const target = Math.log(targetDelta);
  if (logDelta(mu, 0) <= target) return 0;
  // P(N > z) <= exp(-z^2/2) bounds delta by exp(-a^2/2), which is small enough at this epsilon.
  const high = mu * (mu / 2 + Math.sqrt(-2 * target));
  return solveIncreasing(
    epsilon => {
      const a = epsilon / mu - mu / 2;
      const integral = excess(a, mu);
      return { value: target - logPeak(a) - Math.log(integral), slope: tail(a, mu) / integral };
    },
    { low: 0, high },
  );
}

/** rho = mu^2/2: the same guarantee as zero-concentrated DP; its Renyi DP of order alpha is alpha * rho. */
export const zeroConcentrated = (mu: number): number => (requireMu(mu) * mu) / 2;

const LOG_ROOT_TWO_PI = 0.5 * Math.log(2 * Math.PI);

function requireMu(mu: number): number {
  return typeof mu === 'number' && mu >= 0 ? mu : refuse('mu', 'be at least 0', mu);
}

/** The logarithm of the largest value of phi(t + a) over t >= 0, taken out of the integrals. */
const logPeak = (a: number): number => (a > 0 ? (-a * a) / 2 : 0) - LOG_ROOT_TWO_PI;

/** Where phi(t + a), relative to its peak, is below e^-60; exactly so where a > 0. */
const lastPoint = (a: number): number => (a > 0 ? 120 / (a + Math.sqrt(a * a + 120)) : -a + 11);

/** phi(t + a) relative to its peak. */
const density = (a: number, t: number): number =>
  a > 0 ? Math.exp(-t * (t / 2 + a)) : Math.exp(-((t + a) ** 2) / 2);

const excess = (a: number, mu: number): number =>
  integrateFromZero(t => density(a, t) * -Math.expm1(-mu * t), a, mu);

/** e^eps Phi(-eps/mu - mu/2) relative to the peak: what the derivative in epsilon needs. */
const tail = (a: number, mu: number): number =>
  integrateFromZero(t => density(a, t) * Math.exp(-mu * t), a, mu);

/** Panels double in width from the fastest scale at 0, since exponentials fade as fast as panels grow; never wider than 1. */
function integrateFromZero(f: (t: number) => number, a: number, mu: number): number {
  const end = lastPoint(a);
  let low = Math.max(0, -a - 40);
  let width = low > 0 ? 1 : 1 / (1 + Math.abs(a) + mu);
  let sum = 0;
  while (low < end) {
    const high = Math.min(end, low + width);
    sum += integratePanel(f, low, high);
    width = Math.min(1, 2 * width);
    low = high;
  }
  return sum;
}
