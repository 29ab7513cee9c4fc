/**
 * Losses, update rules, sets and aggregators beyond those of the root, and what one's own are made of.
 *
 * @module sluice/method
 */

// Losses, and the domain on which they state their constants
export { huber } from './loss/huber.ts';
export { gemanMcClure } from './loss/gemanMcClure.ts';
export { weightedLogistic } from './loss/weightedLogistic.ts';
export { glm, type Glm } from './loss/glm.ts';
export { domain, type Domain } from './loss/domain.ts';
export { lossByName, LOSS_NAMES, type LossName } from './loss/lossByName.ts';
export { acceptedTargets, type AcceptedTargets } from './loss/lossByName.ts';
export type { LossKernel } from './loss/loss.ts';
export type { GivenLoss } from './loss/namedLossOf.ts';

// Update rules
export { acceleratedFrankWolfe } from './rule/acceleratedFrankWolfe.ts';
export { preconditioned } from './rule/inCoordinates.ts';
export { restarted } from './rule/restarted.ts';
export { tailAveraged } from './rule/tailAveraged.ts';
export type { Method } from './rule/updateRule.ts';
export type { Momentum } from './rule/nesterov.ts';
export type { NewtonState } from './rule/newton.ts';

// Sets that coefficients stay in
export { everywhere } from './constraint/constraint.ts';
export { allButLast } from './constraint/allButLast.ts';

// Aggregators of block sums
export { mean as meanAggregator } from './aggregate/mean.ts';
export { geometricMedian as medianAggregator } from './aggregate/geometricMedian.ts';
export { blockCount } from './aggregate/blockCount.ts';
export type { Aggregator } from './aggregate/aggregator.ts';

// Vectors and factors
export { addScaled, distance, dot, filled, norm, zeros, type Vector } from '../math/vector.ts';
export { cholesky, type Cholesky } from '../math/cholesky.ts';
