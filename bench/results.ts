import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const path = new URL('results.json', import.meta.url);

/** Puts one benchmark's numbers into results.json, beside the others'. */
export function saveResults(name: string, numbers: object): void {
  const known = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  writeFileSync(
    path,
    `${JSON.stringify({ ...known, [name]: { measured: new Date().toISOString().slice(0, 10), ...numbers } }, null, 2)}\n`,
  );
}
