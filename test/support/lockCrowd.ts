/**
 * Takes the lock on a file a number of times, while others do. Makes sure that nobody else is in, and then leaves the
 * lock as a killed process would: in the name of a process that has ended. So every turn is a take-over that all
 * contend for.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from 'node:fs';
import { takeLock } from '../../src/privacy/ledgerFile/lock.ts';
import { patiently } from './patiently.ts';

const [path, times, ended] = process.argv.slice(2) as [string, string, string];
for (let k = 0; k < Number(times); k++) {
  patiently(() => takeLock(path), 0.2);
  // Fails if the folder is there: if another process believes that it holds the lock.
  mkdirSync(`${path}.inside`);
  const left = { ...JSON.parse(readFileSync(`${path}.lock`, 'utf8')), id: randomUUID(), pid: Number(ended) };
  writeFileSync(`${path}.left.${process.pid}`, JSON.stringify(left));
  rmdirSync(`${path}.inside`);
  renameSync(`${path}.left.${process.pid}`, `${path}.lock`);
}
