import { tableFromArrays } from 'apache-arrow';
import { expect } from 'chai';
import { concatMap, from, lastValueFrom } from 'rxjs';
import { estimate } from '../../src/fit/estimate.ts';
import { evaluate } from '../../src/fit/evaluate.ts';
import { inspect } from '../../src/fit/inspect.ts';
import { predict, predictBatches } from '../../src/fit/predict.ts';
import { estimatePrivately } from '../../src/fit/private/estimatePrivately.ts';
import { split } from '../../src/flow/split.ts';
import { batches } from '../../src/source/memory/batches.ts';
import { tablesInPlace } from '../../src/source/memory/memoryTables.ts';
import type { RowSource } from '../../src/source/memory/rowSource.ts';
import type { Table } from '../../src/source/table/table.ts';

const count = 3000;
const x = Float64Array.from({ length: count }, (_, i) => Math.sin(i * i));
const z = Float64Array.from({ length: count }, (_, i) => Math.cos(i));
const town = Array.from({ length: count }, (_, i) => ['Bath', 'Rome', 'Ulm'][i % 3]!);
const y = x.map((value, i) => 2 * value + z[i]! + Math.sin(3 * i));
const table = tableFromArrays({ x, z, town, y });
const { model } = await estimate(table, { target: 'y' });

interface Watched {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { readonly phase: string }) => void;
}

async function drained(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of items);
}

const bounds = { x: [-1, 1], z: [-1, 1], y: [-5, 5] } as const;

/** Every call that takes rows and a signal. */
const calls: Readonly<Record<string, (source: RowSource, options: Watched) => Promise<unknown>>> = {
  estimate: (source, options) => estimate(source, { target: 'y', ...options }),
  'estimate with steps': (source, options) =>
    estimate(source, { target: 'y', mode: 'fresh', holdout: 0.1, memoryBytes: 4e4, ...options }),
  estimatePrivately: (source, options) =>
    estimatePrivately(source, { target: 'y', bounds, epsilon: 1, delta: 1e-6, seed: 1, steps: 2, ...options }),
  evaluate: (source, options) => evaluate(model, source, options),
  inspect,
  predict: (source, options) => drained(predict(model, source, options)),
  'predict with columns kept': (source, options) => drained(predict(model, source, { keep: ['town'], ...options })),
  'a table of predictions': (source, options) => predict(model, source, { keep: ['town'], ...options }).table(),
};
const pulling: typeof calls = {
  batches: (source, { signal }) => drained(batches(source, { signal: signal! })),
  split: (source, { signal }) =>
    lastValueFrom(
      split(source, { target: 'y', features: ['x'], chunks: [count + 1], signal: signal! }).pipe(
        concatMap(chunk => from(chunk.batches)),
      ),
    ),
};

/** Sources that give some rows and then wait for ever, or never wait. */
const waiting: Readonly<Record<string, () => RowSource>> = {
  'a generator that waits': async function* () {
    yield* table.slice(0, 100).batches;
    await new Promise(() => {});
  },
  'a generator that waits before its first row': async function* () {
    await new Promise(() => {});
    yield* table.batches;
  },
  'a generator that never waits nor ends': function* () {
    for (;;) yield* table.slice(0, 1).batches;
  },
  'an Observable that never ends': () => ({ subscribe: () => ({ unsubscribe() {} }) }),
  'tables that are never opened': () => ({ openTables: () => new Promise<readonly Table[]>(() => {}) }),
  'a table of which some rows never come': () => ({
    openTables: async () => [
      {
        ...tablesInPlace('t', table.batches)[0]!,
        rows: null,
        async *frames(fields: readonly number[]) {
          yield* tablesInPlace('t', table.slice(0, 100).batches)[0]!.frames(fields);
          await new Promise(() => {});
        },
      },
    ],
  }),
};

/** What became of a call; `still waiting` if nothing has, after turns enough for any of these to end. */
async function outcome(call: Promise<unknown>): Promise<unknown> {
  const late = new Promise(resolve => setTimeout(resolve, 20_000, 'still waiting').unref());
  return Promise.race([
    call.then(
      () => 'done',
      (error: unknown) => error,
    ),
    late,
  ]);
}

describe('a signal', () => {
  const reason = new Error('enough');

  for (const [name, call] of Object.entries(calls))
    it(`stops ${name} in each of its phases, at its first word of each and at its last`, async () => {
      const phases: string[] = [];
      await call(table, { onProgress: ({ phase }) => phases.push(phase) });
      expect(phases).to.not.be.empty;
      const places = [...new Set(phases)].flatMap(phase => [phases.indexOf(phase), phases.lastIndexOf(phase)]);
      for (const place of new Set(places)) {
        const control = new AbortController();
        let told = 0;
        const onProgress = (): void => {
          if (told++ === place) control.abort(reason);
        };
        const found = await outcome(call(table, { signal: control.signal, onProgress }));
        expect(found, `word ${place} of ${phases.length}, ${phases[place]}`).to.equal(reason);
      }
      expect(await outcome(call(table, { signal: AbortSignal.abort(reason) })), 'before it begins').to.equal(reason);
    });

  for (const [name, call] of Object.entries({ ...calls, ...pulling }))
    it(`stops ${name} while rows are waited for`, async () => {
      for (const [kind, source] of Object.entries(waiting)) {
        // Refused at once: a private run takes no tables of other formats.
        if (name === 'estimatePrivately' && 'openTables' in (source() as object)) continue;
        const control = new AbortController();
        setTimeout(() => control.abort(reason), 20);
        expect(await outcome(call(source(), { signal: control.signal })), kind).to.equal(reason);
      }
    });

  it('ends a generator that is waited for once its next batch has come', async () => {
    let isEnded = false;
    async function* slow() {
      try {
        for (;;) {
          yield* table.slice(0, 10).batches;
          await new Promise(setImmediate);
        }
      } finally {
        isEnded = true;
      }
    }
    const control = new AbortController();
    setTimeout(() => control.abort(reason), 20);
    expect(await outcome(evaluate(model, slow(), { signal: control.signal }))).to.equal(reason);
    for (let turn = 0; turn < 100 && !isEnded; turn++) await new Promise(setImmediate);
    expect(isEnded).to.equal(true);
  });

  it('stops predictions of batches that are pushed', async () => {
    const scored = from(table.batches).pipe(predictBatches(model, { signal: AbortSignal.abort(reason) }));
    expect(await outcome(lastValueFrom(scored))).to.equal(reason);
  });
});
