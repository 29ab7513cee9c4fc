/** `sluice plan`: what fit would do, from the number of rows and features alone. */

import { planEstimate } from '../../fit/index.ts';
import { ArgumentError, type EstimateOptions } from '../../index.ts';
import { estimateOptions, featureCount, refuseHoldout } from '../flags/estimateOptions.ts';
import type { FitFlags } from '../flags/fitFlags.ts';
import { isPrivate, refusePrivateFlags } from '../flags/privateOptions.ts';
import { refuseRows } from '../flags/refuseRows.ts';
import { refuseGiven } from '../flags/theoremFlags.ts';
import type { WatchFlags } from '../flags/watchFlags.ts';
import { inFlags } from '../render/inFlags.ts';
import { counted, significant } from '../render/text.ts';

export async function planCommand(flags: FitFlags & WatchFlags & { readonly watch?: boolean }): Promise<void> {
  refuseRows(flags, 'plan');
  if (flags.watch) {
    const { watchPlanCommand } = await import('./watchPlanCommand.ts');
    watchPlanCommand(flags);
    return;
  }
  if (flags.theorem !== undefined) {
    refuseHoldout(flags, '--theorem');
    const { theoremPlan } = await import('./theoremPlan.ts');
    process.stdout.write(theoremPlan(flags));
    return;
  }
  refuseGiven(flags);
  if (isPrivate(flags)) {
    const { privatePlanCommand } = await import('./privatePlanCommand.ts');
    privatePlanCommand(flags);
    return;
  }
  refusePrivateFlags(flags);
  const options = estimateOptions(flags);
  const { rows, intercept = true, stepSize } = options;
  if (rows === undefined)
    throw new ArgumentError('plan reads no data; give --rows N', 'ERR_ARGUMENT', { argument: '--rows' });
  const features = featureCount(flags, options);
  const { layout, blendedSteps, held, warnings } = planEstimate(options, rows, features);
  for (const warning of warnings) process.stderr.write(`sluice: ${inFlags(warning)}\n`);
  const size = intercept ? features + 1 : features;
  const fewest = layout.pilotRows > 0 ? Math.min(layout.pilotRows, layout.rows) : layout.rows;
  const isShort = fewest < size && !options.penalty;
  // With a set, fit refuses linearly dependent columns; otherwise it sets some coefficients to 0 and reports it.
  if (isShort && flags.set !== undefined && flags.set !== 'none') {
    throw new ArgumentError(
      `${counted(rows, 'row')}, of which ${layout.pilotRows} ${layout.pilotRows === 1 ? 'is' : 'are'} the pilot's, cannot determine ${counted(size, 'coefficient')}; give more --rows, fewer features, or --ridge`,
      'ERR_TOO_FEW_ROWS',
      { rows },
    );
  }
  const notes = isShort
    ? [
        `${counted(fewest, 'row')} cannot determine ${size} coefficients: fit would set at least ${size - fewest} of them to 0${layout.sharesPilot ? ', and interpolate the targets, noise included' : ''}; give more --rows, fewer features, or --ridge`,
      ]
    : [];
  if (flags.json) {
    process.stdout.write(
      `${JSON.stringify({ rows, ...(held > 0 && { heldOut: held }), features, layout, stepSize: stepSize ?? stepText(options), ...(notes.length > 0 && { notes }) })}\n`,
    );
    return;
  }
  const { pilotRows, sharesPilot, mode, steps, blocks, schedule } = layout;
  const sizes = schedule?.chunks ?? [layout.rows];
  // A mean over all rows needs no blocks.
  const countsRest = mode === 'full' && pilotRows > 0 && ['auto', 'mean'].includes(String(options.aggregate));
  const fewRounds = blendedSteps === steps ? '' : `; ${blendedSteps} where two fits are blended, as of numbers`;
  const lines = [
    `${counted(rows, 'row')}, ${counted(features, 'feature')}${intercept ? ' and an intercept' : ''}`,
    ...(held > 0 ? [`held out ${counted(held, 'row')}, to evaluate the model on`] : []),
    pilotRows > 0
      ? `pilot    ${counted(pilotRows, 'row')}, ${sharesPilot ? 'all of them, which the steps use again' : 'which no step uses again'}`
      : 'pilot    none',
    mode === 'full'
      ? `steps    ${steps}, ${steps === 1 ? '' : 'each '}over ${layout.rows === 1 ? 'the one' : `all ${layout.rows}`}${sharesPilot ? '' : ' other'} ${layout.rows === 1 ? 'row' : 'rows'}${fewRounds}`
      : `steps    ${steps} on fresh chunks`,
    ...sizes.map((size, t) => {
      const rowsPerBlock = Math.floor(size / blocks);
      const name = mode === 'full' ? 'every step' : `step ${t + 1}`;
      const rest = size - blocks * rowsPerBlock;
      const fate = countsRest && rest > 0 ? `plus ${rest} used outside the blocks` : `${rest} left over`;
      return `  ${name}   ${counted(size, 'row')} in ${counted(blocks, 'block')} of ${rowsPerBlock}, ${fate}`;
    }),
    `step size ${stepText(options)}`,
    ...notes.map(note => `note: ${note}`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

function stepText({ stepSize, method }: EstimateOptions): string {
  if (stepSize !== undefined) return significant(stepSize);
  return method === 'frank-wolfe' ? '2/(t + 2), t from 0' : 'from the pilot';
}
