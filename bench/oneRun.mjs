/** One run of the built package, or a raw read, in a process of its own, for endToEnd.ts: prints seconds and peak memory as JSON. */
import { open } from 'node:fs/promises';
import { argv, resourceUsage } from 'node:process';
import { lastValueFrom } from 'rxjs';
import {
  blockSums,
  cellsOf,
  descend,
  layoutRows,
  localEngine,
  mean,
  openSamples,
  planFit,
  projectedGradient,
  scatter,
  seeded,
  split,
  squared,
  summarize,
} from '../dist/index.js';

const [, , task, path, threads = '1'] = argv;

/** One gradient over all rows: the job that every peer does. */
async function onePass(samples) {
  const { rows, features } = samples;
  const rule = projectedGradient({ stepSize: 0.1 });
  const plan = planFit({ rows, features, loss: squared(), rule, steps: 1, aggregate: 'mean' });
  const engine = localEngine({ threads: Number(threads) });
  await lastValueFrom(
    split(samples, { chunks: [rows] }).pipe(
      descend(plan, blockSums(plan, engine.summer), mean()),
      summarize(plan),
    ),
  );
  await engine.close();
}

async function rawRead() {
  const file = await open(path);
  const buffer = new Uint8Array(2 ** 22);
  while ((await file.read(buffer, 0, buffer.length)).bytesRead > 0);
  await file.close();
}

async function sluice(shuffled) {
  const samples = await openSamples(path, { target: 'y' });
  const options = { rows: samples.rows, size: 20, failureProbability: 0.05, pilot: true };
  const cells = cellsOf(layoutRows({ ...options, aggregate: 'median-of-means' }));
  const source = shuffled ? scatter(samples, { cells, random: seeded(1, 'bench') }) : samples;
  await onePass(source);
  await source.close();
}

const begun = performance.now();
if (task === 'raw') await rawRead();
else await sluice(task === 'shuffled');
const seconds = (performance.now() - begun) / 1000;
console.log(JSON.stringify({ seconds, peak: resourceUsage().maxRSS * 1024 }));
