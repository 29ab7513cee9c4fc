/** Watches a stream until it is killed or has read enough rows, and writes down every estimate that is published. */
import { appendFileSync } from 'node:fs';
import { estimateOnline } from '../../src/fit/online/estimateOnline.ts';
import type { Output } from '../../src/fit/online/onlineEstimate.ts';

const [source, published, options] = process.argv.slice(2) as [string, string, string];
const lines: Output = {
  name: 'lines',
  publish: async ({ chunk, rows: { read }, coefficients }) => {
    appendFileSync(published, `${JSON.stringify({ chunk, read, coefficients })}\n`);
    process.stdout.write(`${read}\n`);
  },
};
estimateOnline(source, { ...JSON.parse(options), outputs: [lines] }).subscribe({
  error: error => {
    process.stderr.write(`${error.stack}\n`);
    process.exitCode = 1;
  },
});
