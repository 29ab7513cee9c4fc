/** `sluice plan`: what fit would do, from the number of rows and features alone. */
import { ArgumentError, type FitRowsOptions, layoutFor, type ReadOptions } from '../../index.ts';
import type { FitFlags } from '../flags/fitFlags.ts';
import { fitRequest } from '../flags/fitRequest.ts';
import { heldRows, refuseHoldout } from '../flags/holdOut.ts';
import { optional, wholeNumber } from '../flags/parse.ts';
import { isPrivate, refusePrivateFlags } from '../flags/privateRequest.ts';
import { requireBlocks, requireUsedBlocks } from '../flags/requireBlocks.ts';
import { refuseLevelsBesideWidth } from '../flags/requireNames.ts';
import { refuseGiven } from '../flags/theoremRequest.ts';
import { counted, significant } from '../render/text.ts';

export async function planCommand(flags: FitFlags): Promise<void> {
  if (flags.sql !== undefined) {
    throw new ArgumentError(
      'plan reads no data, so it cannot use --sql; give --rows N and --width P instead',
    );
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
  const { read, estimate } = fitRequest(flags);
  if (read.rows === undefined) throw new ArgumentError('plan reads no data; give --rows N');
  const features = featureCount(flags, read);
  const held = flags.holdout === undefined ? 0 : heldRows(flags.holdout, read.rows);
  const layout = layoutFor(
    { rows: read.rows, features },
    { ...estimate, ...(held > 0 && { heldOut: { rows: held, use: async () => {} } }) },
  );
  requireBlocks(flags, layout);
  requireUsedBlocks(flags, layout);
  const size = estimate.intercept ? features + 1 : features;
  const fewest = layout.pilotRows > 0 ? Math.min(layout.pilotRows, layout.rows) : layout.rows;
  const isShort = fewest < size && !estimate.penalty;
  // With a set, fit refuses linearly dependent columns; otherwise it sets some coefficients to 0 and reports it.
  if (isShort && flags.set !== undefined && flags.set !== 'none') {
    throw new ArgumentError(
      `${counted(read.rows!, 'row')}, of which ${layout.pilotRows} ${layout.pilotRows === 1 ? 'is' : 'are'} the pilot's, cannot determine ${counted(size, 'coefficient')}; give more --rows, fewer features, or --ridge`,
    );
  }
  const notes = isShort
    ? [
        `${counted(fewest, 'row')} cannot determine ${size} coefficients: fit would set at least ${size - fewest} of them to 0${layout.sharesPilot ? ', and interpolate the targets, noise included' : ''}; give more --rows, fewer features, or --ridge`,
      ]
    : [];
  if (flags.json) {
    process.stdout.write(
      `${JSON.stringify({ rows: read.rows, ...(held > 0 && { heldOut: held }), features, layout, stepSize: estimate.stepSize ?? stepText(estimate), ...(notes.length > 0 && { notes }) })}\n`,
    );
    return;
  }
  const { pilotRows, sharesPilot, mode, steps, blocks, schedule } = layout;
  const sizes = schedule?.chunks ?? [layout.rows];
  // A mean over all rows needs no blocks.
  const countsRest =
    mode === 'full' && pilotRows > 0 && ['auto', 'mean'].includes(String(estimate.aggregate));
  const lines = [
    `${counted(read.rows, 'row')}, ${counted(features, 'feature')}${estimate.intercept ? ' and an intercept' : ''}`,
    ...(held > 0 ? [`held out ${counted(held, 'row')}, to evaluate the model on`] : []),
    pilotRows > 0
      ? `pilot    ${counted(pilotRows, 'row')}, ${sharesPilot ? 'all of them, which the steps use again' : 'which no step uses again'}`
      : 'pilot    none',
    mode === 'full'
      ? `steps    ${steps}, ${steps === 1 ? '' : 'each '}over ${layout.rows === 1 ? 'the one' : `all ${layout.rows}`}${sharesPilot ? '' : ' other'} ${layout.rows === 1 ? 'row' : 'rows'}`
      : `steps    ${steps} on fresh chunks`,
    ...sizes.map((size, t) => {
      const rowsPerBlock = Math.floor(size / blocks);
      const name = mode === 'full' ? 'every step' : `step ${t + 1}`;
      const rest = size - blocks * rowsPerBlock;
      const fate = countsRest && rest > 0 ? `plus ${rest} used outside the blocks` : `${rest} left over`;
      return `  ${name}   ${counted(size, 'row')} in ${counted(blocks, 'block')} of ${rowsPerBlock}, ${fate}`;
    }),
    `step size ${stepText(estimate)}`,
    ...notes.map(note => `note: ${note}`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** The value of --width, or the number of named features, each level counting as one. */
function featureCount(flags: FitFlags, { features, categorical = {} }: ReadOptions): number {
  refuseLevelsBesideWidth(flags);
  const asked = optional('--width', flags.width, wholeNumber);
  const levels = new Map(Object.entries(categorical));
  const named = features?.reduce((sum, name) => sum + (levels.get(name)?.length ?? 1), 0);
  if (asked !== undefined && named !== undefined && asked !== named) {
    throw new ArgumentError(
      `--width must be ${named}, the number of features that --features names, got ${asked}; leave one of them out`,
    );
  }
  const found = asked ?? named;
  if (found !== undefined) return found;
  throw new ArgumentError('plan reads no data; give --width P, the number of features, or --features a,b,c');
}

function stepText({ stepSize, method }: FitRowsOptions): string {
  if (stepSize !== undefined) return significant(stepSize);
  return method === 'frank-wolfe' ? '2/(t + 2), t from 0' : 'from the pilot';
}
