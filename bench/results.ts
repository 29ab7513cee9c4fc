import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { versions } from 'node:process';

const path = new URL('results.json', import.meta.url);

/** Stores one benchmark's numbers in results.json, leaving the others unchanged. */
export function saveResults(name: string, numbers: object): void {
  const known = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  const measured = new Date().toISOString().slice(0, 10);
  const machine = `${cpus()[0]!.model} x ${cpus().length}, Node ${versions.node}`;
  const results = { ...known, [name]: { measured, machine, ...numbers } };
  writeFileSync(path, `${JSON.stringify(results, null, 2)}\n`);
}
