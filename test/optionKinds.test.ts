import { Binary, Field, Float64, List, Null, Table, vectorFromArray } from 'apache-arrow';
import { expect } from 'chai';
import { from, lastValueFrom, type Observable } from 'rxjs';
import * as sluice from '../src/index.ts';
import { readingKinds } from '../src/source/read/readingKinds.ts';

type Options = Readonly<Record<string, unknown>>;

/** What an untyped caller may give for any option. */
const WRONG: readonly unknown[] = [
  null,
  true,
  7,
  -1,
  Number.NaN,
  3n,
  'no such thing',
  '',
  Symbol('x'),
  {},
  Object.create(null),
  { a: 1 },
  [],
  ['x', 'x'],
  [1],
  [{}],
  [null],
  () => 1,
  new Map(),
  new Date(Number.NaN),
  new Float64Array(1),
  new AbortController(),
  Promise.resolve(),
];

const ROWS = 60;
const column = (read: (i: number) => number): number[] => Array.from({ length: ROWS }, (_, i) => read(i));
const rows = {
  x: column(i => i % 7),
  t: column(i => i % 3).map(i => 'abc'[i]!),
  y: column(i => 2 * (i % 7) + (i % 5)),
};
const loss = { value: () => 0, slope: () => 0, targets: { least: 0, most: 1 }, penalty: 0, name: 'own' };
const privately = { target: 'y', epsilon: 5, delta: 1e-6, bounds: { x: [0, 6], y: [0, 20] }, seed: 1 };

/** Calls with all options that they know, and what is needed beside them. */
async function calls() {
  const { model } = await sluice.estimate(rows, { target: 'y' });
  const given = sluice as unknown as Readonly<Record<string, (...given: readonly unknown[]) => unknown>>;
  const batch = (await given.batches!(rows)) as AsyncIterable<unknown>;
  const plan = {
    rows: 60,
    features: 1,
    loss: sluice.squared(),
    rule: sluice.nesterov({ stepSize: 1, momentum: 0 }),
    steps: 2,
  };
  return {
    estimate: [(options: Options) => given.estimate!(rows, options), { target: 'y' }],
    estimatePrivately: [(options: Options) => given.estimatePrivately!(rows, options), privately],
    estimateOnline: [(options: Options) => given.estimateOnline!(given.batches!(rows), options), { target: 'y' }],
    evaluate: [(options: Options) => given.evaluate!(model, rows, options), {}],
    predict: [(options: Options) => given.predict!(model, rows, options), {}],
    predictBatches: [
      (options: Options) => from(batch as never).pipe(given.predictBatches!(model, options) as never),
      {},
    ],
    inspect: [(options: Options) => given.inspect!(rows, options), {}],
    batches: [(options: Options) => given.batches!(rows, options), {}],
    split: [(options: Options) => given.split!(rows, options), { target: 'y', chunks: [30, 30] }],
    planFit: [(options: Options) => given.planFit!(options), plan],
    stage: [(options: Options) => given.stage!(options), { name: 'a', from: 'sums', to: 'sums', run: () => null }],
    nesterov: [(options: Options) => given.nesterov!(options), { stepSize: 1, momentum: 0 }],
    projectedGradient: [(options: Options) => given.projectedGradient!(options), { stepSize: 1 }],
    frankWolfe: [(options: Options) => given.frankWolfe!(options), { constraint: sluice.l2Ball(1) }],
    newton: [(options: Options) => given.newton!(options), { curvature: Float64Array.of(1) }],
    poisson: [(options: Options) => given.poisson!(options), {}],
  } as const;
}

/** Names of options, as the refusal of an unknown one shows that all are known. */
const NAMES =
  'acceptLargeDelta aggregate before blocks bounds calibration categorical checkpoint chunk chunks clip columns constraint curvature deadLetters delta epsilon every failureProbability features first forget from history holdout intercept keep largestScore ledger level loss maxPerUnit memoryBytes method mode moments momentum mostBad name noise normBound nulls onAlarm onIterate onProgress onStatus order orderSeed outputs penalty perChunk privacy rowLength rows rule run schedule scratch scratchBytes seed set signal start stdin stepSize steps tail target theorem threads to types unit untilRows weights';

async function resultOf(made: unknown): Promise<unknown> {
  if (typeof (made as Observable<unknown> | null)?.subscribe === 'function')
    return lastValueFrom(made as Observable<unknown>, { defaultValue: null });
  const found = await made;
  if (typeof found === 'object' && found !== null && Symbol.asyncIterator in found)
    for await (const one of found as AsyncIterable<unknown>) return one;
  return found;
}

const refusal = async (call: () => unknown): Promise<(Error & { code?: string; detail?: object }) | null> => {
  try {
    await resultOf(call());
    return null;
  } catch (error) {
    return error as Error;
  }
};

describe('the options of every call', () => {
  it('of whatever kind never end in anything but an ArgumentError', async function () {
    this.timeout(300_000);
    for (const [name, [call, usual]] of Object.entries(await calls())) {
      const names = [...new Set([...NAMES.split(' '), ...Object.keys(readingKinds())])];
      let known = 0;
      for (const option of names) {
        if (/there is no option/.test((await refusal(() => call({ ...usual, [option]: Symbol('x') })))?.message ?? ''))
          continue;
        known++;
        for (const value of WRONG) {
          const error = await refusal(() => call({ ...usual, [option]: value }));
          const told = `${name} ${option} ${typeof value} ${String(error?.message)} ${error?.stack}`;
          if (error !== null) expect(error.name, told).to.equal('ArgumentError');
          if (error !== null) expect(error.code, told).to.match(/^ERR_/);
        }
      }
      expect(known, name).to.be.at.least(1);
    }
  });

  it('are refused where they would be taken for something else, with the way out', async () => {
    const made = await calls();
    for (const [name, options, message] of [
      ['estimate', { features: 'x' }, '`features` must be a list of texts, got "x"; write [\'x\']'],
      ['estimate', { features: null }, '`features` must be a list of texts, got null'],
      ['estimate', { categorical: null }, '`categorical` must be a record such as'],
      ['estimate', { categorical: ['t'] }, '`categorical` must be a record such as'],
      ['estimate', { categorical: { t: 'a' } }, '`categorical.t` must be a list of texts, got "a"; write [\'a\']'],
      ['estimate', { categorical: { t: ['a', 'a'] } }, '`categorical.t` must have every text once'],
      ['estimate', { categorical: { t: [] } }, '`categorical.t` must have at least one level'],
      ['estimate', { types: 'text' }, '`types` must be a record such as'],
      ['estimate', { intercept: 'no' }, '`intercept` must be true or false'],
      ['estimate', { scratchBytes: '1g' }, '`scratchBytes` must be a number of at least 0'],
      ['estimate', { scratch: 4 }, '`scratch` must be a text'],
      ['estimate', { holdout: '0.2' }, '`holdout` must be a number'],
      ['estimate', { start: [1, 2] }, '`start` must be coefficients as a Float64Array, or a model'],
      ['estimate', { start: 'model.json' }, '`start` must be coefficients as a Float64Array, or a model'],
      [
        'estimate',
        { signal: new AbortController() },
        '`signal` must be an AbortSignal, got "an AbortController"; give',
      ],
      ['estimate', { onProgress: 'x' }, '`onProgress` must be a function'],
      ['estimate', { constraint: {} }, 'constraint must be a set'],
      ['estimate', { set: { kind: 'l3', radius: 1 } }, '`set.kind` must be "l1" or "l2" or "box", got "l3"'],
      ['estimate', { set: { kind: 'l2' } }, '`set` must be a set such as'],
      ['estimate', { loss: { ...loss, slope: undefined } }, 'loss must have `slope`'],
      ['estimatePrivately', { bounds: { x: 5, y: [0, 20] } }, '`bounds.x` must be the least and the largest value'],
      ['estimatePrivately', { features: 'hours' }, '`features` must be a list of texts'],
      ['estimatePrivately', { set: { kind: 'l3' } }, '`set.kind` must be "l1" or "l2" or "box"'],
      ['predict', { keep: 'x' }, '`keep` must be a list of texts, got "x"; write [\'x\']'],
      ['predict', { keep: ['x', 'x'] }, '`keep` must have every text once'],
      ['predictBatches', { keep: ['x', 'x'] }, '`keep` must have every text once'],
      ['batches', { columns: 'x' }, '`columns` must be a list of texts'],
      ['batches', { columns: ['x', 'x'] }, '`columns` must have every text once'],
    ] as const) {
      const [call, usual] = made[name];
      const error = await refusal(() => call({ ...usual, ...options }));
      expect(error?.message, JSON.stringify(options)).to.include(message);
      expect(error?.code).to.equal('ERR_ARGUMENT');
    }
  });

  it('are refused by predictBatches before a batch comes', async () => {
    const { model } = await sluice.estimate(rows, { target: 'y' });
    expect(() => sluice.predictBatches(model, { keep: 'x' as never })).to.throw(sluice.ArgumentError, 'keep');
  });

  it('tables of one’s own must be tables', async () => {
    for (const tables of [5, null, [{}], [null], 'x']) {
      const error = await refusal(() => sluice.inspect({ openTables: async () => tables as never }));
      expect(error?.message).to.match(/openTables\(\).* must be a (list of tables|table)/);
      expect(error?.code).to.equal('ERR_ARGUMENT');
    }
  });

  it('refuse to keep a column that no batch can have, by its name and type', async () => {
    const { model } = await sluice.estimate(rows, { target: 'y' });
    const made = {
      list: vectorFromArray(
        column(i => i).map(i => [i, i + 1]),
        new List(new Field('item', new Float64(), true)),
      ),
      binary: vectorFromArray(
        column(i => i).map(i => Uint8Array.of(i)),
        new Binary(),
      ),
      nothing: vectorFromArray(
        column(i => i).map(() => null),
        new Null(),
      ),
    };
    for (const [name, vector] of Object.entries(made)) {
      const table = new Table({ x: vectorFromArray(rows.x), t: vectorFromArray(rows.t), [name]: vector as never });
      for (const call of [
        () => sluice.predict(model, table as never, { keep: [name] }).table(),
        () => sluice.batches(table as never, { columns: [name] }),
      ]) {
        const error = await refusal(call);
        expect(error?.code, String(error?.stack)).to.equal('ERR_COLUMN');
        expect(error?.message).to.match(new RegExp(`column "${name}": is .*, which cannot be read; `));
      }
    }
  });
});
