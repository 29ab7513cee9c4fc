import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import fc from 'fast-check';
import { type BlockRequest, type BlockSummer, blockSummer } from '../../../src/engine/kernel/blockSummer.ts';
import type { IntegerRequest } from '../../../src/engine/kernel/integerSummer.ts';
import { wasmSummer } from '../../../src/engine/kernel/wasmSummer.ts';
import { type LocalEngine, localEngine } from '../../../src/engine/local/localEngine.ts';
import { ArgumentError } from '../../../src/errors.ts';
import { filled } from '../../../src/math/vector.ts';
import { logistic } from '../../../src/method/loss/logistic.ts';
import { poisson } from '../../../src/method/loss/poisson.ts';
import { pseudoHuber } from '../../../src/method/loss/pseudoHuber.ts';
import { squared } from '../../../src/method/loss/squared.ts';
import { arenaOf } from '../../../src/sample/arena.ts';
import { CONTROL, MOST_THREADS } from '../../../src/sample/kernelRegion.ts';
import { rowsBetween, type SampleBatch } from '../../../src/sample/sampleBatch.ts';
import { casesOf, uniform } from '../../laws/holdsForAll.ts';
import { referenceIntegerSummer } from '../../support/kernelSlope.ts';
import { sampleFor } from '../../support/losses.ts';
import { inArena } from '../kernel/inArena.ts';

const ROWS = 40_000;
const FEATURES = 7;

function sumsOf<R extends BlockRequest>(
  make: (request: R) => BlockSummer,
  request: R,
  ...batches: SampleBatch[]
): Float64Array {
  const summer = make(request);
  for (const batch of batches) summer.add(batch);
  return summer.finish().sums;
}

/**
 * Sums until a helper has left slopes in its part of the batch's arena, so that whatever follows runs on two threads or
 * more.
 */
async function untilHelped({ summer }: LocalEngine, batch: SampleBatch): Promise<void> {
  const { memory, region } = arenaOf(batch.target)!;
  const helped = new Float64Array(memory.buffer, region.slopes + 8192, 1024 * (MOST_THREADS - 1));
  while (helped.every(slope => slope === 0)) {
    sumsOf(summer, { loss: squared(), at: filled(FEATURES, 1), blocks: 1, rowsPerBlock: ROWS }, batch);
    await new Promise(resolve => setTimeout(resolve, 5));
  }
}

describe('localEngine', () => {
  const losses = [squared(), logistic(), pseudoHuber(0.2)];
  const batch = inArena(sampleFor(logistic(), ROWS, FEATURES));
  const engines = [1, 2, 4].map(threads => localEngine({ threads }));
  const at = filled(FEATURES, 0.3);

  before(async () => {
    for (const engine of engines.slice(1)) await untilHelped(engine, batch);
  });

  after(() => Promise.all(engines.map(engine => engine.close())));

  it('has the bits of one thread on 1, 2 and 4, for any cut of the rows into batches and any layout of blocks', () => {
    const layouts = fc.constantFrom([1, ROWS], [4, 10_000], [3, 12_345], [39, 1025], [700, 57]) as fc.Arbitrary<
      [blocks: number, rowsPerBlock: number]
    >;
    const cuts = fc.array(uniform(0, 1), { maxLength: 3 });
    fc.assert(
      fc.property(fc.constantFrom(...losses), layouts, cuts, fc.boolean(), (loss, layout, shares, intercept) => {
        const [blocks, rowsPerBlock] = layout;
        const request = {
          loss,
          at: intercept ? filled(FEATURES + 1, 0.3) : at,
          blocks,
          rowsPerBlock,
          intercept,
        };
        const edges = [0, ...shares.map(share => Math.floor(share * ROWS)).toSorted((a, b) => a - b), ROWS];
        const parts = edges.slice(1).map((edge, i) => rowsBetween(batch, edges[i]!, edge));
        const expected = sumsOf(wasmSummer, request, batch);
        for (const { summer } of engines) expect(sumsOf(summer, request, ...parts)).to.deep.equal(expected);
      }),
      { seed: 1, numRuns: casesOf(100) },
    );
  });

  it('has the whole sums of the reference on 1, 2 and 4 threads, whatever its batches hold', () => {
    const spoilt = inArena(batch);
    for (const [row, value] of [
      [0, NaN],
      [777, Infinity],
      [20_001, 1e200],
      [39_999, -1e308],
    ] as const) {
      spoilt.columns[row % FEATURES]![row] = value;
    }
    for (const loss of [...losses, poisson()]) {
      for (const [blocks, rowsPerBlock] of [
        [1, ROWS],
        [3, 12_345],
        [700, 57],
      ] as const) {
        for (const clip of [undefined, 0.5]) {
          const request: IntegerRequest = {
            loss,
            at,
            blocks,
            rowsPerBlock,
            grid: 1e-4,
            squaredNorm: 1e8,
            ...(clip === undefined ? {} : { clip }),
          };
          const expected = sumsOf(referenceIntegerSummer, request, spoilt);
          const parts = [0, 8191, 8192, 30_003].map((start, k, starts) =>
            rowsBetween(spoilt, start, starts[k + 1] ?? ROWS),
          );
          for (const engine of engines) {
            expect(sumsOf(engine.integerSummer, request, spoilt)).to.deep.equal(expected);
            expect(sumsOf(engine.integerSummer, request, ...parts)).to.deep.equal(expected);
          }
        }
      }
    }
  });

  it('follows batches from arena to arena, and out of all of them', () => {
    const other = inArena(batch);
    const outside = sampleFor(logistic(), ROWS, FEATURES);
    const request = { loss: logistic(), at, blocks: 3, rowsPerBlock: ROWS };
    const expected = sumsOf(wasmSummer, request, batch, batch, batch);
    for (const { summer } of engines) {
      expect(sumsOf(summer, request, batch, other, outside)).to.deep.equal(expected);
      expect(sumsOf(summer, request, outside, other, batch)).to.deep.equal(expected);
    }
  });

  it('works beside another engine and a lone summer in the same arena', () => {
    const request = { loss: squared(), at, blocks: 1, rowsPerBlock: 40 * ROWS };
    const summers = [wasmSummer, ...engines.map(({ summer }) => summer)].map(make => make(request));
    for (let turn = 0; turn < 40; turn++) for (const summer of summers) summer.add(batch);
    const [alone, ...others] = summers.map(summer => summer.finish().sums);
    for (const sums of others) expect(sums).to.deep.equal(alone);
  });

  it('leaves losses without a compiled kernel to the reference', () => {
    const request = { loss: poisson(), at, blocks: 2, rowsPerBlock: 100 };
    for (const { summer } of engines) {
      expect(sumsOf(summer, request, batch)).to.deep.equal(sumsOf(blockSummer, request, batch));
    }
  });

  it('throws where a thread has failed, instead of giving sums that miss its rows', () => {
    const own = inArena(batch);
    const { memory, region } = arenaOf(own.target)!;
    const request = { loss: squared(), at, blocks: 1, rowsPerBlock: ROWS };
    new Int32Array(memory.buffer, region.control)[CONTROL.failed] = 1;
    for (const { summer } of engines) {
      expect(() => sumsOf(summer, request, own)).to.throw(Error, 'a worker thread failed');
    }
    expect(() => sumsOf(wasmSummer, request, own)).to.throw(Error, 'a worker thread failed');
  });

  it('makes no summer once it is closed, which it can be twice', async () => {
    const engine = localEngine({ threads: 2 });
    const request = { loss: squared(), at, blocks: 1, rowsPerBlock: ROWS };
    await engine.close();
    await engine.close();
    expect(() => engine.summer(request)).to.throw(ArgumentError, 'the engine is closed');
    const whole = { ...request, grid: 1, squaredNorm: 1 };
    expect(() => engine.integerSummer(whole)).to.throw(ArgumentError, 'the engine is closed');
  });

  it('finishes a sum under way at its close alone', async () => {
    const engine = localEngine({ threads: 2 });
    await untilHelped(engine, inArena(batch));
    const request = { loss: squared(), at, blocks: 1, rowsPerBlock: 2 * ROWS };
    const summer = engine.summer(request);
    summer.add(batch);
    await engine.close();
    summer.add(batch);
    expect(summer.finish().sums).to.deep.equal(sumsOf(wasmSummer, request, batch, batch));
  });

  it('does not keep a process alive that has forgotten to close it', async () => {
    const engineUrl = new URL('../../../src/engine/local/localEngine.ts', import.meta.url);
    const script = `
      const { localEngine } = await import('${engineUrl}');
      localEngine({ threads: 3 }).start();
      await new Promise(resolve => setTimeout(resolve, 200));
      process.stdout.write('done');`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '--eval', script],
      { timeout: 30_000 },
    );
    expect(stdout).to.equal('done');
  });

  it('refuses a number of threads that is none, or more than an arena has room for', () => {
    for (const threads of [0, 1.5, NaN, 65]) {
      expect(() => localEngine({ threads })).to.throw(
        ArgumentError,
        `threads must be a whole number from 1 to 64, got ${threads}`,
      );
    }
  });
});
