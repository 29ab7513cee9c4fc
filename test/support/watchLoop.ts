/** Watches a folder until it is killed or has read so many rows, and writes down every estimate that is published. */
import { appendFileSync } from 'node:fs';
import { estimateOnline } from '../../src/fit/online/estimateOnline.ts';

const [folder, checkpoint, published, untilRows] = process.argv.slice(2) as [string, string, string, string];
const line = {
  name: 'lines',
  publish: async ({
    chunk,
    rows: { read },
    coefficients,
  }: {
    chunk: number;
    rows: { read: number };
    coefficients: object;
  }) => {
    appendFileSync(published, `${JSON.stringify({ chunk, read, coefficients })}\n`);
    process.stdout.write('.');
  },
};
estimateOnline(folder, {
  target: 'y',
  chunk: 400,
  checkpoint,
  untilRows: Number(untilRows),
  outputs: [line],
}).subscribe({
  error: error => {
    process.stderr.write(`${error.stack}\n`);
    process.exitCode = 1;
  },
});
