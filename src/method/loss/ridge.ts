import { requireMembers, requireNonNegative } from '../../errors.ts';
import type { Loss } from './loss.ts';

/**
 * A loss with gamma/2 ||theta||^2 added (example LR_l2_Reg, stated there for the squared loss):
 *
 *   tau_u + gamma and tau_l + gamma for the loss's own tau_u and tau_l
 *
 *   gamma -> gamma, read back as `penalty`
 *
 * The penalty depends on theta alone, so value, slope and Lipschitz constant, which describe a single row, are
 * unchanged.
 *
 * @example
 * ridge(squared(), 0.1).penalty; // 0.1
 */
export function ridge<L extends Loss>(loss: L, gamma: number): L {
  requireMembers('loss', 'be a loss, such as `squared()`', loss, 'name slope smoothness');
  return Object.freeze({
    ...loss,
    name: `ridge(${loss.name}, ${gamma})`,
    penalty: loss.penalty + requireNonNegative('gamma', gamma),
    smoothness: domain => loss.smoothness(domain) + gamma,
  } satisfies Loss);
}
