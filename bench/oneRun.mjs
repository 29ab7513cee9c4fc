/** One run of the built package, or a raw read, in a process of its own, for endToEnd.ts: prints seconds and peak memory as JSON. */
import { open } from 'node:fs/promises';
import { argv, resourceUsage } from 'node:process';
import { lastValueFrom } from 'rxjs';
import { localEngine } from '../dist/engines.js';
import {
  blockSums,
  descend,
  estimate,
  mean,
  planFit,
  projectedGradient,
  split,
  squared,
  summarize,
} from '../dist/index.js';
import { lossByName } from '../dist/method.js';
import { openRows } from '../dist/source.js';

const [, , task, path, threads = '1'] = argv;

/** One gradient over all rows: the job that every peer does. */
async function onePass(samples) {
  const { rows, features } = samples;
  const rule = projectedGradient({ stepSize: 0.1 });
  const plan = planFit({ rows, features, loss: squared(), rule, steps: 1, aggregate: 'mean' });
  const engine = localEngine({ threads: Number(threads) });
  await lastValueFrom(
    split(samples, { chunks: [rows] }).pipe(descend(plan, blockSums(plan, engine.summer), mean()), summarize(plan)),
  );
  await engine.close();
}

/** What `sluice fit` does: shuffle, pilot, and steps on fresh chunks. */
async function fitFile(options) {
  await estimate(path, { ...options, target: 'y', threads: Number(threads) });
}

async function rawRead() {
  const file = await open(path);
  const buffer = new Uint8Array(2 ** 22);
  while ((await file.read(buffer, 0, buffer.length)).bytesRead > 0);
  await file.close();
}

async function readOnce() {
  const samples = await openRows(path, { target: 'y', threads: Number(threads) });
  await onePass(samples);
  await samples.close();
}

const tasks = {
  raw: rawRead,
  'as-is': readOnce,
  /** Steps of its own size, so that no pilot is needed: one pass over shuffled rows, for as many steps. */
  'shuffled squared': () => fitFile({ loss: lossByName('squared'), stepSize: 0.1, steps: 3, mode: 'fresh' }),
  'shuffled robust': () =>
    fitFile({ loss: lossByName('pseudo-huber', { parameter: 1 }), stepSize: 0.1, steps: 3, mode: 'fresh' }),
  fit: () => fitFile({}),
};

const begun = performance.now();
await tasks[task]();
const seconds = (performance.now() - begun) / 1000;
console.log(JSON.stringify({ seconds, peak: resourceUsage().maxRSS * 1024 }));
