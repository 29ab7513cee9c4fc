/**
 * Estimates from rows that keep arriving.
 *
 * @module sluice/streams
 */

// A pipeline of one's own: an endless plan, its stage, and what a state says
export { onlineChunks, planOnline, type OnlineOptions, type OnlinePlan } from '../../plan/online/planOnline.ts';
export { planEndless, type EndlessOptions } from '../../plan/online/planEndless.ts';
export { informationSums } from '../../flow/informationSums.ts';
export { mergeOnline, reportOnline, type OnlineReport } from '../../inference/online/onlineReport.ts';
export { shiryaevRoberts } from '../../method/rule/shiryaevRoberts.ts';
export type { PooledWatch } from '../../method/rule/pooled.ts';
export type { InformationState } from '../../method/rule/information.ts';
