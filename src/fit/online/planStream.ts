import type { OnlinePlan } from '../../plan/online/planOnline.ts';
import { type PrivateOnlinePlan, planPrivateOnline } from '../../plan/online/planPrivateOnline.ts';
import type { DesignColumn } from '../../source/design/design.ts';
import { type OnlineRequestOptions, plainPlan, privateOnlineRequest, requireRequest } from './onlineRequest.ts';

/**
 * What `estimateOnline` would do with these options and features, without reading a row: its plan, whose `figures` say
 * how many rows pilot and chunks have and why, and of a private run what it will cost and how far it will be off. A
 * private plan has `privacy`. Targets are taken not to be classes where the loss is left to be chosen.
 */
export function planStream(
  options: OnlineRequestOptions,
  features: readonly Pick<DesignColumn, 'name' | 'level' | 'field'>[],
): OnlinePlan | PrivateOnlinePlan {
  requireRequest(options);
  if (options.epsilon === undefined) return plainPlan(options, features.length, false);
  const { request } = privateOnlineRequest(options, features);
  return planPrivateOnline(request);
}
