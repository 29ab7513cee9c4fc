/**
 * `sluice/audit`: whether a private pipeline does what it declares, by running it on neighbouring data.
 *
 * @module
 */
export { type AuditOptions, type AuditReport, auditPrivate } from './auditPrivate.ts';
export type { Breach } from './breach.ts';
export type { Pipeline } from './observe.ts';
export { privatePipeline } from './privatePipeline.ts';
export { smallPlan } from './smallPlan.ts';
