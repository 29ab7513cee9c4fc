/** The laws and other properties on all of their cases, of which the fast suite tries a quarter. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

// Mocha requires its files, and so must this one do with theirs for both to have the same number of cases.
const require = createRequire(import.meta.url);
const tests = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const { tryAllCases } = require('../laws/holdsForAll.ts') as typeof import('../laws/holdsForAll.ts');

tryAllCases();

for (const name of readdirSync(tests, { recursive: true, encoding: 'utf8' }).sort()) {
  if (!name.endsWith('.test.ts') || /^(slow|long|streams|engines)/.test(name)) continue;
  if (readFileSync(join(tests, name), 'utf8').includes('/laws/')) require(join(tests, name));
}
