/**
 * Renews the tables and pictures of docs/streams.md from bench/online.json and results.json: `npm run figures:streams`.
 * With `--check` it changes nothing, and fails where they are not made of the figures.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { argv } from 'node:process';
import { onlineFigures } from '../test/support/onlineFigures.ts';
import { streamPictures } from './streamPictures.ts';
import { withTables } from './streamTables.ts';

const docs = new URL('../docs/', import.meta.url);
const page = new URL('streams.md', docs);
const folder = new URL('streams/', docs);
const figures = onlineFigures();
const { streams } = JSON.parse(readFileSync(new URL('results.json', import.meta.url), 'utf8'));
const pictures = await streamPictures(figures);
const files = new Map([
  [page, withTables(readFileSync(page, 'utf8'), figures, streams)],
  ...[...pictures].map(([name, svg]) => [new URL(name, folder), svg] as const),
]);

if (argv.includes('--check')) {
  const stale = [...files].filter(([file, text]) => !existsSync(file) || readFileSync(file, 'utf8') !== text);
  const others = readdirSync(folder).filter(name => !pictures.has(name));
  for (const [file] of stale) console.log(`${file.pathname} is not made of the committed figures`);
  for (const name of others) console.log(`docs/streams/${name} is made of no figures`);
  if (stale.length + others.length > 0) process.exitCode = 1;
} else {
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of files) writeFileSync(file, text);
}
