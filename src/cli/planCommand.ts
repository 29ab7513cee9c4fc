/** `sluice plan`: what fit would do, from the number of rows and features alone. */
import { ArgumentError, layoutRows } from '../index.ts';
import type { FitFlags } from './fitFlags.ts';
import { fitRequest } from './fitRequest.ts';
import { wholeNumber } from './parse.ts';

export async function planCommand(flags: FitFlags): Promise<void> {
  const request = fitRequest(flags);
  const { declaredRows: rows } = request;
  if (rows === undefined) throw new ArgumentError('plan reads no data; give --rows N');
  const features = wholeNumber('--width', flags.width ?? '');
  const layout = layoutRows(request.layoutFor(rows, features));
  if (flags.json) {
    process.stdout.write(`${JSON.stringify({ features, layout })}\n`);
    return;
  }
  const { pilotRows, mode, steps, blocks, schedule } = layout;
  const lines = [
    `${rows} rows, ${features} features${request.intercept ? ' and an intercept' : ''}`,
    pilotRows > 0 ? `pilot    ${pilotRows} rows, which no step uses again` : 'pilot    none',
    mode === 'full'
      ? `steps    ${steps}, each over all ${layout.rows} remaining rows`
      : `steps    ${steps} on fresh chunks`,
    ...(schedule?.chunks ?? [layout.rows]).map((size, t) => {
      const rowsPerBlock = Math.floor(size / blocks);
      return `  ${mode === 'full' ? 'every step' : `step ${t + 1}`}   ${size} rows in ${blocks} blocks of ${rowsPerBlock}, ${size - blocks * rowsPerBlock} left over`;
    }),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
