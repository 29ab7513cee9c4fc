import { moments } from '../math/moments.ts';
import { rankingArea } from './rankingArea.ts';

/** How well probabilities foretell a target of 0 or 1. */
export interface Classes {
  /** The area under the ROC curve, and how far the exact one may be away; null where all targets are equal. */
  readonly auc: { readonly area: number; readonly within: number } | null;
  /** The share of rows whose target is 1 and probability at least 1/2, or 0 and below. */
  readonly accuracy: number;
  /** The mean square of probability - target. */
  readonly brier: number;
  /** The share of ones: what a model without features would say of every row. */
  readonly positives: number;
}

export interface ClassMeasures {
  add(score: number, probability: number, target: number, weight: number): void;
  result(): Classes;
}

export function classMeasures(): ClassMeasures {
  const ranking = rankingArea();
  const hits = moments();
  const squares = moments();
  const positives = moments();
  return Object.freeze({
    add(score: number, probability: number, target: number, weight: number) {
      ranking.add(score, weight * target, weight * (1 - target));
      hits.add(probability >= 0.5 ? target : 1 - target, weight);
      squares.add((probability - target) ** 2, weight);
      positives.add(target, weight);
    },
    result: () =>
      Object.freeze({
        auc: ranking.result(),
        accuracy: hits.mean,
        brier: squares.mean,
        positives: positives.mean,
      }),
  });
}
