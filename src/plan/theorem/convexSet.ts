import { box } from '../../method/constraint/box.ts';
import type { Constraint } from '../../method/constraint/constraint.ts';
import { l1Ball } from '../../method/constraint/l1Ball.ts';
import { l2Ball } from '../../method/constraint/l2Ball.ts';

/**
 * A compact convex set around 0, for theorems that hold on any: the l2 ball, the l1 ball or the cube, of a radius in
 * their own norm.
 */
export type ConvexSet = 'l2' | 'l1' | 'box';

export const CONVEX_SETS: readonly ConvexSet[] = ['l2', 'l1', 'box'];

export const convexSetOf = (set: ConvexSet, radius: number, features: number): Constraint => {
  if (set === 'box') return box(new Float64Array(features).fill(-radius), new Float64Array(features).fill(radius));
  return set === 'l1' ? l1Ball(radius) : l2Ball(radius);
};
