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
