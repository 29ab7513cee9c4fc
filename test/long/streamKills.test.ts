/** Exactly once, with as many kills as find rare moments. Counts go to bench/streamKills.json with a digest of the code. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { codeVersion } from '../../src/lab/paper/crew.ts';
import { type KillFigures, survivesKills } from '../streams/support/killedBrokers.ts';

const path = fileURLToPath(new URL('../../bench/streamKills.json', import.meta.url));

/** The test, and what a run loads only when it needs it. */
const PROGRAMS = [
  '../streams/support/killedBrokers.ts',
  '../support/watchLoop.ts',
  ...['plainRun', 'privateRun', 'onlineSession'].map(name => `../../src/fit/online/${name}.ts`),
  ...['nats', 'kafka'].map(name => `../../src/source/live/${name}.ts`),
];

async function record(name: string, figures: KillFigures): Promise<void> {
  process.stdout.write(`      ${name}: ${JSON.stringify(figures)}\n`);
  const hash = createHash('sha256');
  for (const program of PROGRAMS) hash.update(await codeVersion(new URL(program, import.meta.url)));
  const known = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  known[name] = { sources: hash.digest('hex').slice(0, 16), figures };
  writeFileSync(path, `${JSON.stringify(known, null, 2)}\n`);
}

survivesKills(300, record);
