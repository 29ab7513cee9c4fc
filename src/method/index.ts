/**
 * `sluice/method`: losses, update rules, sets and aggregators beyond those of the root, and the interfaces of one's own.
 *
 * @module
 */

// Vectors and factors to write them with
export { type Cholesky, cholesky } from '../math/cholesky.ts';
export { addScaled, distance, dot, filled, norm, type Vector, zeros } from '../math/vector.ts';
// Aggregators of block sums
export type { Aggregator } from './aggregate/aggregator.ts';
export { blockCount } from './aggregate/blockCount.ts';
export { geometricMedian as medianAggregator } from './aggregate/geometricMedian.ts';
export { mean as meanAggregator } from './aggregate/mean.ts';
// Sets that coefficients stay in
export { allButLast } from './constraint/allButLast.ts';
export { everywhere } from './constraint/everywhere.ts';
// Losses, and the domain on which they state their constants
export { type AcceptedTargets, acceptedTargets } from './loss/acceptedTargets.ts';
export { type Domain, domain } from './loss/domain.ts';
export { gemanMcClure } from './loss/gemanMcClure.ts';
export { type Glm, glm } from './loss/glm.ts';
export { huber } from './loss/huber.ts';
export type { LossKernel } from './loss/loss.ts';
export { LOSS_NAMES, type LossName, lossByName } from './loss/lossByName.ts';
export type { GivenLoss } from './loss/namedLossOf.ts';
export { weightedLogistic } from './loss/weightedLogistic.ts';
// Update rules
export { acceleratedFrankWolfe } from './rule/acceleratedFrankWolfe.ts';
export type { Momentum } from './rule/nesterov.ts';
export type { NewtonState } from './rule/newton.ts';
export { preconditioned } from './rule/preconditioned.ts';
export { restarted } from './rule/restarted.ts';
export { tailAveraged } from './rule/tailAveraged.ts';
export type { Method } from './rule/updateRule.ts';
