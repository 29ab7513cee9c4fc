/** Renews the tables and pictures of docs/streams.md from bench/online.json: `npm run figures:streams`. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { onlineFigures } from '../test/support/onlineFigures.ts';
import { streamPictures } from './streamPictures.ts';
import { withTables } from './streamTables.ts';

const docs = new URL('../docs/', import.meta.url);
const page = new URL('streams.md', docs);
const figures = onlineFigures();
mkdirSync(new URL('streams/', docs), { recursive: true });
for (const [name, svg] of await streamPictures(figures)) writeFileSync(new URL(`streams/${name}`, docs), svg);
writeFileSync(page, withTables(readFileSync(page, 'utf8'), figures));
