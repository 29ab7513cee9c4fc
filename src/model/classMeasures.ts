import { moments } from '../math/moments.ts';

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

/**
 * The area under the ROC curve of a stream: the chance that a random positive scores above a random negative, equal
 * scores counting half.
 *
 * Scores are counted in 2^16 equal bins of s / (1 + |s|), which resolves probabilities near 0 and 1 as well as those
 * between: at a logit of -7, one in a thousand, a bin is 0.2 % wide. Scores of one bin count as equal, so the exact
 * area is away by at most half the share of pairs that fall into a bin together; that bound is part of the result.
 */
export interface RankingArea {
  /** A row that is partly both, as a target between 0 and 1 is, adds to both. */
  add(score: number, positive: number, negative: number): void;
  /** Null where there are no positives, or no negatives. */
  result(): { readonly area: number; readonly within: number } | null;
}

export function rankingArea(): RankingArea {
  const positives = new Float64Array(BINS);
  const negatives = new Float64Array(BINS);
  return Object.freeze({
    add(score: number, positive: number, negative: number) {
      // Of infinite scores, which are no part of themselves, the ends.
      const place = Number.isFinite(score) ? score / (1 + Math.abs(score)) : Math.sign(score);
      const bin = Math.min(BINS - 1, Math.floor((1 + place) * (BINS / 2)));
      positives[bin]! += positive;
      negatives[bin]! += negative;
    },
    result() {
      let positivesBelow = 0;
      let negativesBelow = 0;
      let ordered = 0;
      let together = 0;
      for (let bin = 0; bin < BINS; bin++) {
        const positive = positives[bin]!;
        const negative = negatives[bin]!;
        ordered += positive * negativesBelow;
        together += positive * negative;
        positivesBelow += positive;
        negativesBelow += negative;
      }
      const pairs = positivesBelow * negativesBelow;
      if (pairs === 0) return null;
      return Object.freeze({ area: (ordered + together / 2) / pairs, within: together / 2 / pairs });
    },
  });
}

const BINS = 2 ** 16;
