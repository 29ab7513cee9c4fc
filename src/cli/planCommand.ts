/** `sluice plan`: what fit would do, from the number of rows and features alone. */
import { ArgumentError, layoutFor } from '../index.ts';
import type { FitFlags } from './fitFlags.ts';
import { fitRequest } from './fitRequest.ts';
import { wholeNumber } from './parse.ts';
import { isPrivate, refusePrivateFlags } from './privateRequest.ts';
import { counted } from './text.ts';
import { refuseGiven } from './theoremRequest.ts';

export async function planCommand(flags: FitFlags): Promise<void> {
  if (flags.theorem !== undefined) {
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
  const features = wholeNumber('--width', flags.width ?? '');
  const layout = layoutFor({ rows: read.rows, features }, estimate);
  const size = estimate.intercept ? features + 1 : features;
  const fewest = layout.pilotRows > 0 ? Math.min(layout.pilotRows, layout.rows) : layout.rows;
  const isShort = fewest < size && !estimate.penalty;
  // Over a set fit refuses columns that say nothing of their own; otherwise it leaves them out, and tells so.
  if (isShort && flags.set !== undefined && flags.set !== 'none') {
    throw new ArgumentError(
      `${read.rows} rows, of which ${layout.pilotRows} are the pilot's, cannot tell ${size} coefficients apart; give more --rows, fewer features, or --ridge`,
    );
  }
  const notes = isShort
    ? [
        `${counted(fewest, 'row')} cannot tell ${size} coefficients apart: fit would set at least ${size - fewest} of them to 0${layout.sharesPilot ? ', and follow every target, whatever its noise' : ''}; give more --rows, fewer features, or --ridge`,
      ]
    : [];
  if (flags.json) {
    process.stdout.write(
      `${JSON.stringify({ rows: read.rows, features, layout, ...(notes.length > 0 && { notes }) })}\n`,
    );
    return;
  }
  const { pilotRows, sharesPilot, mode, steps, blocks, schedule } = layout;
  const sizes = schedule?.chunks ?? [layout.rows];
  // An average of all rows needs no blocks.
  const countsRest =
    mode === 'full' && pilotRows > 0 && ['auto', 'mean'].includes(String(estimate.aggregate));
  const lines = [
    `${counted(read.rows, 'row')}, ${counted(features, 'feature')}${estimate.intercept ? ' and an intercept' : ''}`,
    pilotRows > 0
      ? `pilot    ${pilotRows} rows, ${sharesPilot ? 'all of them, and the steps see them again' : 'which no step uses again'}`
      : 'pilot    none',
    mode === 'full'
      ? `steps    ${steps}, ${steps === 1 ? '' : 'each '}over all ${layout.rows}${sharesPilot ? '' : ' other'} rows`
      : `steps    ${steps} on fresh chunks`,
    ...sizes.map((size, t) => {
      const rowsPerBlock = Math.floor(size / blocks);
      const name = mode === 'full' ? 'every step' : `step ${t + 1}`;
      const rest = size - blocks * rowsPerBlock;
      const fate = countsRest && rest > 0 ? `and ${rest} that fill none but count` : `${rest} left over`;
      return `  ${name}   ${size} rows in ${counted(blocks, 'block')} of ${rowsPerBlock}, ${fate}`;
    }),
    ...notes.map(note => `note: ${note}`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
