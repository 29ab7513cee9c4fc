import type { PrivatePlan } from '../../plan/private/planPrivate.ts';

/** The limits of the plan: records per unit, releases that a record enters, and the squared movement of one release. */
export function limitsOf({ plan, noise, moments }: PrivatePlan): {
  group: number;
  touches: number;
  most: bigint;
} {
  const { group, squaredNorm } = noise;
  const touches = (plan.mode === 'full' ? plan.steps.length : 1) + (moments === null ? 0 : 2);
  return { group, touches, most: 4n * BigInt(group) ** 2n * BigInt(squaredNorm) };
}

/** Relative tolerance between products of integers and quotients of doubles. */
export const ROUNDING = 1e-9;
