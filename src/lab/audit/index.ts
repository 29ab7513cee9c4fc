/**
 * Whether a private pipeline does what it declares, by running it on neighbouring data.
 *
 * @module sluice/audit
 */

export { auditPrivate, type AuditOptions, type AuditReport } from './auditPrivate.ts';
export { privatePipeline } from './privatePipeline.ts';
export { smallPlan } from './privatePipeline.ts';
export type { Breach } from './audit.ts';
export type { Pipeline } from './observe.ts';
