import { concatMap } from 'rxjs';
import type { BlockSummer } from '../engine/kernel/blockSummer.ts';
import { type IntegerRequest, type Quantization, requireExact } from '../engine/kernel/integerSummer.ts';
import { fastIntegerSummer } from '../engine/kernel/wasmSummer.ts';
import type { Plan, Steps } from '../plan/plan.ts';
import { sumChunk } from './blockSums.ts';
import { type Stage, type Step, trusted } from './stage.ts';

/** Makes the summer of one step: the reference kernel, or a faster one. */
export type IntegerKernel = (request: IntegerRequest) => BlockSummer;

/**
 * The estimate stage of private runs: per block of the step's chunk, the sum of its rows' gradients in whole steps of a
 * grid. The quantization is that of the noise to come, with a clip where the plan rests on one: `{ ...noise, clip }`.
 */
export function integerSums(
  { loss, intercept, steps }: Pick<Plan<Steps>, 'loss' | 'intercept' | 'steps'>,
  { grid, squaredNorm, clip }: Quantization,
  kernel: IntegerKernel = fastIntegerSummer,
): Stage<'step', 'sums'> {
  const quantization: Quantization = { grid, squaredNorm, ...(clip !== undefined && { clip }) };
  const requireExactAt = (t: number): Quantization =>
    requireExact({ ...quantization, rowsPerBlock: steps.at(t)!.rowsPerBlock });
  const isEndless = steps.length === Infinity;
  for (let t = 0; t < steps.length && !isEndless; t++) requireExactAt(t);
  return trusted({
    name: 'integerSums',
    kind: 'estimate',
    from: 'step',
    to: 'sums',
    run: concatMap((step: Step) => {
      if (isEndless) requireExactAt(step.index);
      const { blocks, rowsPerBlock } = steps.at(step.index)!;
      return sumChunk(step, kernel({ loss, at: step.at, intercept, blocks, rowsPerBlock, ...quantization }));
    }),
  });
}
