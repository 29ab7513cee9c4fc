import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { RecordBatchReader, type Table, tableFromArrays, tableToIPC } from 'apache-arrow';
import { expect } from 'chai';
import { lastValueFrom, take, toArray } from 'rxjs';
import { ArgumentError } from '../../../src/errors.ts';
import { conducted, estimateOnline, type OnlineOptions } from '../../../src/fit/online/estimateOnline.ts';
import type { OnlineEstimate } from '../../../src/fit/online/onlineEstimate.ts';
import { descend } from '../../../src/flow/descend.ts';
import { informationSums } from '../../../src/flow/informationSums.ts';
import { split } from '../../../src/flow/split.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { formatModel, parseModel } from '../../../src/model/model.ts';
import { onlineChunks, planOnline } from '../../../src/plan/online/planOnline.ts';
import type { DeadLetter } from '../../../src/source/live/liveSource.ts';
import { allOf, cut, randomSizes, townRows, waitingAfter } from '../../support/onlineRows.ts';

const rows = townRows(9000);
const asked: OnlineOptions = { target: 'y', chunk: 1000 };
const withoutLag = ({ lag: _, position: __, ...estimate }: OnlineEstimate): unknown =>
  JSON.parse(JSON.stringify({ ...estimate, ledger: null }));

describe('estimateOnline', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-online-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('gives the same estimates to the bit however rows are cut into batches', async () => {
    const random = seeded(2, 'cuts');
    const whole = (await allOf(estimateOnline(cut(rows, 9000), asked))).map(withoutLag);
    expect(whole).to.have.length(9);
    for (let k = 0; k < 4; k++) {
      const found = await allOf(estimateOnline(cut(rows, ...randomSizes(random)), asked));
      expect(found.map(withoutLag)).to.deep.equal(whole);
    }
  });

  it('equals the pipeline over the same rows in the same chunks, and is near the truth', async () => {
    const { x1, x2, y } = { x1: rows.getChild('x1')!, x2: rows.getChild('x2')!, y: rows.getChild('y')! };
    const town = [...rows.getChild('town')!];
    const table = {
      x1: x1.toArray(),
      x2: x2.toArray(),
      'town=Hull': town.map(name => Number(name === 'Hull')),
      'town=York': town.map(name => Number(name === 'York')),
      y: y.toArray(),
    };
    const plan = planOnline({ features: 4, chunk: 300 });
    const iterates = await lastValueFrom(
      split(table, { target: 'y', chunks: onlineChunks(plan) }).pipe(descend(plan, informationSums(plan)), toArray()),
    );
    const estimates = await allOf(estimateOnline(cut(rows, 130), { ...asked, chunk: 300 }));
    iterates.forEach(({ theta }, t) => {
      const found = Object.values(estimates[t]!.coefficients).map(({ estimate }) => estimate);
      found.forEach((value, j) => {
        expect(Math.abs(value - theta[j]!)).to.be.at.most(1e-12 * (1 + Math.abs(theta[j]!)));
      });
    });
    const last = estimates.at(-1)!;
    const truth = { x1: 2, x2: -0.003, 'town=Hull': 1, 'town=York': 2, '(intercept)': 5 };
    for (const [name, value] of Object.entries(truth)) {
      const { estimate, error, lower, upper, anyTime } = last.coefficients[name]!;
      expect(Math.abs(estimate - value)).to.be.below(7 * error!);
      expect(anyTime![0]).to.be.below(lower!);
      expect(anyTime![1]).to.be.above(upper!);
    }
    expect(last).to.deep.include({ chunk: 28, rows: { used: 9000, read: 9000 }, deadLetters: 0, alarm: null });
    expect(last.progressiveError!.all).to.be.within(0.2, 0.6);
  });

  it('has a model for every estimate, which can be written and read', async () => {
    const [first] = await allOf(estimateOnline(cut(rows, 500), asked).pipe(take(1)));
    const model = parseModel(formatModel(first!.model), 'model.json');
    expect(model.features).to.deep.equal(['x1', 'x2', 'town=Hull', 'town=York']);
    expect(model.reference).to.deep.equal({ town: ['Bath'] });
    expect(first!.choices.join(' ')).to.include('The pilot has 1000 rows');
    expect(first!.coefficients.x1!.lower).to.equal(null);
  });

  it('takes a reader of an Arrow stream for the batches that it reads', async () => {
    const bytes = tableToIPC(rows, 'stream');
    const whole = (await allOf(estimateOnline(cut(rows, 9000), asked))).map(withoutLag);
    for (const reader of [RecordBatchReader.from(bytes), await RecordBatchReader.from(Readable.from([bytes]))]) {
      const found = await allOf(estimateOnline(reader, asked));
      expect(found.map(withoutLag)).to.deep.equal(whole);
    }
  });

  it('closes the source when it is unsubscribed from, and when its signal is aborted', async () => {
    for (const way of ['unsubscribe', 'abort'] as const) {
      const source = waitingAfter(cut(rows, 100));
      const stop = new AbortController();
      const seen: OnlineEstimate[] = [];
      const ended = new Promise<unknown>(resolve => {
        const subscription = estimateOnline(source, { ...asked, signal: stop.signal }).subscribe({
          next: estimate => {
            seen.push(estimate);
            if (seen.length < 3) return;
            if (way === 'abort') stop.abort(new Error('enough'));
            else setTimeout(() => subscription.unsubscribe(), 0);
          },
          error: resolve,
        });
        if (way === 'unsubscribe') setTimeout(resolve, 200);
      });
      const error = await ended;
      if (way === 'abort') expect((error as Error).message).to.equal('enough');
      // It is left when the run has seen that nobody listens, however busy the machine is.
      for (let k = 0; k < 1000 && !source.isLeft(); k++) await pause(20);
      expect(source.isLeft(), way).to.equal(true);
    }
  });

  it('waits for its outputs, and reads no more than a chunk and a batch ahead of them', async () => {
    let given = 0;
    const counted = {
      *[Symbol.iterator]() {
        for (const batch of cut(rows, 100)) {
          given += batch.numRows;
          yield batch;
        }
      },
    };
    const ahead: number[] = [];
    let publishing = 0;
    const slow = {
      name: 'slow',
      publish: async (estimate: OnlineEstimate) => {
        expect(++publishing).to.equal(1);
        await pause(15);
        ahead.push(given - estimate.rows.read);
        publishing--;
      },
    };
    await allOf(estimateOnline(counted, { ...asked, outputs: [slow] }));
    expect(ahead).to.have.length(9);
    // One batch waits in a slot, one is being read into the other, and the source reads one more.
    expect(Math.max(...ahead)).to.be.at.most(400);
  });

  it('refuses a loss that is none, before anything is read', () => {
    for (const loss of [{ name: 'squared' }, {}, 'square'])
      expect(() => estimateOnline(cut(rows, 700), { ...asked, loss: loss as never })).to.throw(
        ArgumentError,
        'loss must',
      );
  });

  it('goes on from its checkpoint to the same bits, and publishes the last estimate again', async () => {
    const whole = (await allOf(estimateOnline(cut(rows, 700), asked))).map(withoutLag);
    const checkpoint = join(folder, 'state');
    const options = { ...asked, checkpoint };
    const first = await allOf(estimateOnline(cut(rows, 700), options).pipe(take(4)));
    expect(first.map(withoutLag)).to.deep.equal(whole.slice(0, 4));
    await pause(50);
    const second = await allOf(estimateOnline(cut(rows, 700), options));
    expect(second.map(withoutLag)).to.deep.equal(whole.slice(3));
    expect(readdirSync(checkpoint)).to.deep.equal(['checkpoint.json']);
    const again = await allOf(estimateOnline(cut(rows, 700), options));
    expect(again.map(withoutLag)).to.deep.equal(whole.slice(8));
  });

  it('refuses the checkpoint of another run with the difference named, and two writers', async () => {
    const options = { ...asked, checkpoint: folder };
    await allOf(estimateOnline(cut(rows, 1000), { ...options, untilRows: 2000 }).pipe(take(2)));
    await pause(50);
    const messageOf = async (
      changed: Partial<OnlineOptions>,
      source: Parameters<typeof estimateOnline>[0] = cut(rows, 1000),
    ): Promise<string> =>
      (await allOf(estimateOnline(source, { ...options, ...changed })).catch(error => error)).message;
    expect(await messageOf({ chunk: 500 })).to.include('`chunk` was 1000, and is 500');
    expect(await messageOf({ target: 'x1' })).to.include('`target` was "y", and is "x1"');
    expect(await messageOf({ loss: 'squared' })).to.include('`loss` was not given, and is');
    const path = join(folder, 'checkpoint.json');
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace('"version":1', '"version":7'));
    expect(await messageOf({})).to.include('has version 7, but this sluice reads 1');
    writeFileSync(path, text.slice(0, 100));
    expect(await messageOf({})).to.include('is not one that sluice wrote whole');
    writeFileSync(path, text);
    const running = estimateOnline(waitingAfter(cut(rows, 1000)), options);
    const subscription = running.subscribe(() => {});
    await pause(20);
    expect(await messageOf({})).to.include('is in use by this process');
    subscription.unsubscribe();
    const isFree = async (): Promise<boolean> => !(await messageOf({ chunk: 500 })).includes('is in use');
    for (let k = 0; k < 1000 && !(await isFree()); k++) await pause(20);
    // Another stream is found out before anything is shown of the one that was meant.
    const shown: OnlineEstimate[] = [];
    const seen = { name: 'seen', publish: async (estimate: OnlineEstimate) => void shown.push(estimate) };
    expect(await messageOf({ outputs: [seen] }, folder)).to.match(/is \{"source":"folder"\}, but the checkpoint is of/);
    expect(shown).to.deep.equal([]);
    const names = cut(tableFromArrays({ x1: [1, 2], y: [1, 2] }), 2);
    const other = await allOf(estimateOnline(names, options)).catch(error => error);
    expect(other.message).to.match(/has 2 rows, but \d+ were used before/);
  });

  it('tells of nulls, rows that cannot be used and levels that came later, and of each exactly', async () => {
    const source = townRows(4000, 3);
    const [x1, x2, y] = ['x1', 'x2', 'y'].map(name => [...source.getChild(name)!.toArray()] as (number | null)[]);
    const town = [...source.getChild('town')!] as string[];
    for (const row of [3, 1500, 1501, 3999]) x1![row] = null;
    x2![1700] = NaN;
    y![2500] = Infinity;
    for (const row of [2000, 2001, 3000]) town[row] = 'Ely';
    town[3500] = 'Rye';
    const odd = tableFromArrays({ x1: x1!, x2: x2!, y: y!, town });
    for (const size of [90, 4000]) {
      const found = await allOf(estimateOnline(cut(odd as Table, size), asked));
      const skipped = found.map(({ model }) => model.rows.invalid);
      expect(skipped).to.deep.equal([1, 4, 5, 6]);
      const levels = found.map(({ notes }) => notes.find(({ text }) => text.includes('came after the pilot'))?.text);
      expect(levels[1]).to.equal(undefined);
      expect(levels[2]).to.include('2 rows have a level of "town" that came after the pilot ("Ely")');
      expect(levels[3]).to.include('4 rows have').and.include('"Ely" and "Rye"');
    }
  });

  it('takes logistic regression where the first targets are two texts, and leaves out a column of ids', async () => {
    const random = seeded(1, 'classes');
    const x = Float64Array.from({ length: 3000 }, () => random.word() / 2 ** 31 - 1);
    const bought = [...x].map(value => (random.word() / 2 ** 32 < 1 / (1 + Math.exp(-2 * value)) ? 'yes' : 'no'));
    const id = Array.from({ length: 3000 }, (_, i) => `id ${i}`);
    const found = await allOf(estimateOnline(cut(tableFromArrays({ x, id, bought }), 100), { target: 'bought' }));
    const { model, notes, coefficients } = found.at(-1)!;
    expect(model.loss.name).to.equal('logistic');
    expect(model.categorical.bought).to.deep.equal(['no', 'yes']);
    expect(coefficients.x!.estimate).to.be.within(1.6, 2.4);
    expect(notes.map(({ text }) => text).join(' ')).to.include('"id" was left out');
  });

  it('counts dead letters, hands them on, and ends when too many of the last thousand are bad', async () => {
    const path = join(folder, 'rows.ndjson');
    const lines = Array.from({ length: 3000 }, (_, i) => JSON.stringify({ x: i % 7, y: 2 * (i % 7) + (i % 3) }));
    const bad = (every: number): string => lines.map((line, i) => (i % every === 9 ? '{"x": oops}' : line)).join('\n');
    const letters: DeadLetter[] = [];
    const options: OnlineOptions = {
      target: 'y',
      untilRows: 2900,
      deadLetters: async letter => void letters.push(letter),
    };
    writeFileSync(path, `${bad(100)}\n`);
    const found = await allOf(estimateOnline(path, options));
    expect(letters.length).to.be.within(28, 30);
    expect(found.at(-1)!.deadLetters).to.be.within(28, 30);
    writeFileSync(path, `${bad(15)}\n`);
    const error = await allOf(estimateOnline(path, options)).catch(caught => caught);
    expect(error.message).to.match(
      /of the last \d+ records could not be read, the last one because it is not .*`mostBad`/,
    );
    const tolerant = await allOf(estimateOnline(path, { ...options, untilRows: 2700, mostBad: 0.1 }));
    expect(tolerant.at(-1)!.rows.read).to.equal(2700);
  });

  it('closes chunks early where that is asked for, but not the pilot', async () => {
    const source = waitingAfter(cut(rows.slice(0, 1650), 50));
    const seen = await lastValueFrom(estimateOnline(source, { ...asked, every: 400 }).pipe(take(2), toArray()));
    expect(seen.map(({ rows: { read } }) => read)).to.deep.equal([1000, 1650]);
  });

  it('takes its history first, and then the stream, to the same bits as one stream, wherever it is stopped', async () => {
    const whole = (await allOf(estimateOnline(cut(rows, 700), asked))).map(withoutLag);
    const history = rows.slice(0, 3300);
    const later = () => cut(rows.slice(3300), 450);
    const found = await allOf(estimateOnline(later(), { ...asked, history }));
    expect(found.map(withoutLag)).to.deep.equal(whole);
    expect(found[2]!.position).to.deep.equal({ after: null, rows: 3000 });
    expect(found[3]!.position).to.deep.equal({ after: { stream: { rows: 450 } }, rows: 250 });
    for (const stop of [2, 3, 5]) {
      const options = { ...asked, history, checkpoint: join(folder, String(stop)) };
      await allOf(estimateOnline(later(), options).pipe(take(stop)));
      await pause(50);
      const rest = await allOf(estimateOnline(later(), options));
      expect(rest.map(withoutLag)).to.deep.equal(whole.slice(stop - 1));
    }
  });

  it('keeps serving while the disk is full, says so, and goes on when there is room', async () => {
    let isFull = true;
    const problems: unknown[] = [];
    const found = await allOf(
      conducted(
        cut(rows, 1000),
        {
          ...asked,
          checkpoint: folder,
          onStatus: ({ problems: told }) => told && problems.push(told),
        },
        {
          retry: 5,
          write: async () => {
            if (!isFull) return;
            isFull = false;
            throw new Error('no space left on the disk');
          },
        },
      ),
    );
    expect(found).to.have.length(9);
    expect(problems).to.deep.equal([{ 'the checkpoint': 'no space left on the disk' }, { 'the checkpoint': null }]);
  });

  it('tells how it is doing: the rows of the pilot, of the open chunk, and its end', async () => {
    const news: Parameters<NonNullable<OnlineOptions['onStatus']>>[0][] = [];
    await allOf(estimateOnline(cut(rows, 250), { ...asked, onStatus: told => news.push(told) }));
    const waiting = news.filter(({ phase }) => phase === 'waiting').map(({ progress, read }) => [read, progress]);
    expect(waiting[0]).to.deep.equal([250, { rows: 250, of: 400 }]);
    expect(news.some(({ phase, progress }) => phase === 'running' && progress?.of === 1000)).to.equal(true);
    expect(news.at(-1)).to.deep.equal({ phase: 'ended', progress: null });
  });

  it('refuses what does not go together, before anything is read', () => {
    const refused = (options: object): string => {
      try {
        estimateOnline([], { target: 'y', ...options } as OnlineOptions);
      } catch (error) {
        return (error as Error).message;
      }
      return 'nothing';
    };
    expect(refused({ mostbad: 1 })).to.include('the nearest is `mostBad`');
    expect(refused({ bounds: {} })).to.include('`bounds` is for private runs');
    expect(refused({ ledger: {} })).to.include('`ledger` is for private runs');
    expect(refused({ every: 0 })).to.include('`every` must be');
    expect(refused({ level: 1.5 })).to.include('`level` must be in (0, 1)');
    const secret = { epsilon: 1, delta: 1e-6, bounds: { x: [0, 1], y: [0, 1] } };
    expect(refused(secret)).to.include('without that witness');
    expect(refused({ ...secret, every: 5 })).to.include('`every` is not for private runs');
    expect(refused({ ...secret, mostBad: 0.1 })).to.include('`mostBad` is not for private runs');
    expect(refused({ ...secret, weights: 'w' })).to.include('row weights are data');
    expect(refused({ ...secret, unit: 'rider' })).to.include('`maxPerUnit` go together');
    expect(refused({ epsilon: 1, delta: 1e-6 })).to.include('does not choose features by looking at the data');
  });

  it('says what is missing where a stream ends before its pilot is full', async () => {
    const few = await allOf(estimateOnline(cut(rows.slice(0, 300), 100), asked)).catch(error => error);
    expect(few.message).to.include('ended after 300 rows, but the first estimate needs');
    const none = await allOf(estimateOnline([], asked)).catch(error => error);
    expect(none.message).to.include('ended before its first row');
  });
});
