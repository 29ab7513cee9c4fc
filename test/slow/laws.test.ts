/** The laws and other properties on all of their cases, of which the fast suite tries a quarter. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { tryAllCases } from '../laws/holdsForAll.ts';

const tests = resolve(dirname(fileURLToPath(import.meta.url)), '..');

tryAllCases();

for (const name of readdirSync(tests, { recursive: true, encoding: 'utf8' }).sort()) {
  if (!name.endsWith('.test.ts') || /^(slow|long|streams|engines)/.test(name)) continue;
  const path = join(tests, name);
  if (readFileSync(path, 'utf8').includes('/laws/')) await import(pathToFileURL(path).href);
}
