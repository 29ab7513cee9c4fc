/**
 * Gaussian differential privacy (mu-GDP): the exact guarantee of adding N(0, sigma^2 I) to a quantity of
 * l2 sensitivity mu * sigma, and of any adaptive composition of such steps with sum of mu_t^2 equal to mu^2.
 *
 *   delta_mu(eps) = Phi(-eps/mu + mu/2) - e^eps Phi(-eps/mu - mu/2)
 *                 = (2 pi)^(-1/2) * integral_0^inf exp(-(t + a)^2 / 2) (1 - exp(-mu t)) dt,   a = eps/mu - mu/2
 *
 * The integrand of the second form is positive, so nothing cancels: relative errors stay near 1e-13 down to
 * the smallest delta, in logarithms. Above 1/2, 1 - delta = Phi(a) + e^eps Phi(-eps/mu - mu/2) is computed instead.
 *
 *   eps -> epsilon, delta_mu(eps) -> delta, mu*(eps, delta) -> muFor, rho = mu^2/2 -> zeroConcentrated
 *
 * Guarantee. Adjacency is replace-one. A mechanism is mu-GDP exactly when it is (eps, delta_mu(eps))-DP for
 * every eps >= 0.
 * Edge cases. mu = 0 releases nothing (delta 0); mu = Infinity means no privacy (delta 1, epsilon Infinity).
 */
import { refuse, requireNonNegative, requireProbability } from '../errors.ts';
import { integratePanel } from '../math/gaussLegendre.ts';
import { solveIncreasing } from '../math/solveIncreasing.ts';

/** log delta_mu(eps): finite even where delta underflows. */
export function logDelta(mu: number, epsilon: number): number {
  requireMu(mu);
  requireNonNegative('epsilon', epsilon);
  if (mu === 0) return -Infinity;
  if (mu === Infinity) return 0;
  return logDeltaAt(epsilon / mu - mu / 2, mu);
}

/** delta_mu(eps): the least delta for which a mu-GDP mechanism is (eps, delta)-DP. */
export const delta = (mu: number, epsilon: number): number => Math.exp(logDelta(mu, epsilon));

/**
 * mu*(eps, delta): the largest mu whose mechanisms are all (eps, delta)-DP.
 *
 * @example
 * muFor(1, 1e-6); // 0.2367
 */
export function muFor(epsilon: number, targetDelta: number): number {
  requireNonNegative('epsilon', epsilon);
  requireProbability('delta', targetDelta);
  const target = Math.log(targetDelta);
  // Two lower bounds: delta_mu(eps) <= delta_mu(0) < mu/sqrt(2 pi), and delta_mu(eps) <= exp(-a^2/2).
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
      const reached = logDeltaAt(a, mu);
      // d log(delta) / d log(mu) = mu phi(a) / delta
      return { value: reached - target, slope: mu * Math.exp((-a * a) / 2 - LOG_ROOT_TWO_PI - reached) };
    },
    { low, high, start: low },
  );
  return Math.exp(logMu);
}

/**
 * The least epsilon for which a mu-GDP mechanism is (epsilon, delta)-DP.
 *
 * @example
 * epsilonFor(muFor(1, 1e-6), 1e-6); // 1
 */
export function epsilonFor(mu: number, targetDelta: number): number {
  requireMu(mu);
  requireProbability('delta', targetDelta);
  const target = Math.log(targetDelta);
  if (logDelta(mu, 0) <= target) return 0;
  // P(N > z) <= exp(-z^2/2) bounds delta by exp(-a^2/2), which is small enough at this epsilon.
  const high = mu * (mu / 2 + Math.sqrt(-2 * target));
  if (high === Infinity) return Infinity;
  return solveIncreasing(
    epsilon => {
      const a = epsilon / mu - mu / 2;
      const reached = logDeltaAt(a, mu);
      // d log(delta) / d eps = -e^eps Phi(-eps/mu - mu/2) / delta
      return { value: target - reached, slope: tail(a, mu) * Math.exp(logPeak(a) - reached) };
    },
    { low: 0, high },
  );
}

/** rho = mu^2/2: the same guarantee as zero-concentrated DP; its Renyi DP of order alpha is alpha * rho. */
export const zeroConcentrated = (mu: number): number => (requireMu(mu) * mu) / 2;

const LOG_ROOT_TWO_PI = 0.5 * /* @__PURE__ */ Math.log(2 * Math.PI);

function requireMu(mu: number): number {
  return typeof mu === 'number' && mu >= 0 ? mu : refuse('mu', 'be at least 0', mu);
}

function logDeltaAt(a: number, mu: number): number {
  const direct = logPeak(a) + Math.log(excess(a, mu));
  if (direct < -Math.LN2) return direct;
  return Math.log1p(0 - (Math.exp(logPeak(-a)) * normalTail(-a) + Math.exp(logPeak(a)) * tail(a, mu)));
}

/** The logarithm of the largest value of phi(t + a) over t >= 0, factored out of the integrals. */
const logPeak = (a: number): number => (a > 0 ? (-a * a) / 2 : 0) - LOG_ROOT_TWO_PI;

const excess = (a: number, mu: number): number => integrateFromZero(t => -Math.expm1(-mu * t), a, mu);

/** Phi(-a) relative to the peak. */
const normalTail = (a: number): number => integrateFromZero(() => 1, a, 0);

/** e^eps Phi(-eps/mu - mu/2) relative to the peak. */
const tail = (a: number, mu: number): number => integrateFromZero(t => Math.exp(-mu * t), a, mu);

/**
 * The integral over t >= 0 of weight(t) phi(t + a), relative to the peak of phi, in x = t - max(0, -a), the distance
 * from that peak: a sum t + a of a large t and a large -a would lose its digits. Values below e^-60 of the peak are
 * neglected. Panels double in width from the fastest scale at t = 0, because exponentials decay as fast as panels grow;
 * they are never wider than 1.
 */
function integrateFromZero(weight: (t: number) => number, a: number, mu: number): number {
  const before = Math.max(0, -a);
  const beyond = Math.max(0, a);
  const end = 120 / (beyond + Math.sqrt(beyond * beyond + 120));
  let low = -Math.min(before, 40);
  let width = before > 40 ? 1 : 1 / (1 + Math.abs(a) + mu);
  let sum = 0;
  while (low < end) {
    const high = Math.min(end, low + width);
    sum += integratePanel(x => Math.exp(-x * (x / 2 + beyond)) * weight(before + x), low, high);
    width = Math.min(1, 2 * width);
    low = high;
  }
  return sum;
}
