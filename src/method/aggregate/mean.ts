import { type BlockSums, featuresOf, type Gradient, type Privacy } from '../../sample/gradientSums.ts';
import type { Aggregator } from './aggregator.ts';

/** The plain average over all rows, including those left over from the last full block. */
export function mean(): Aggregator {
  return Object.freeze({
    name: 'mean',
    countsRest: true,
    aggregate: <P extends Privacy>(blockSums: BlockSums<P>): Gradient<P> => {
      const features = featuresOf(blockSums);
      const { sums, blocks, rowsPerBlock, privacy, rest } = blockSums;
      const values = new Float64Array(features);
      for (let k = 0; k < blocks; k++) {
        for (let j = 0; j < features; j++) values[j]! += sums[k * features + j]!;
      }
      const rows = blocks * rowsPerBlock + (rest?.rows ?? 0);
      if (rest !== undefined) for (let j = 0; j < features; j++) values[j]! += rest.sum[j]!;
      for (let j = 0; j < features; j++) values[j]! /= rows;
      return { values, privacy };
    },
  });
}
