import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Table, tableToIPC } from 'apache-arrow';
import { expect } from 'chai';
import { take } from 'rxjs';
import { estimateOnline, type OnlineOptions } from '../../../src/fit/online/estimateOnline.ts';
import type { OnlineEstimate } from '../../../src/fit/online/onlineEstimate.ts';
import { readLedgerFile } from '../../../src/privacy/ledgerFile/readLedgerFile.ts';
import { allOf, cut, scaledRows } from '../../support/onlineRows.ts';

const bounds = { x1: [-1, 1], x2: [-1, 1], y: [-1, 1] } as const;
/** A large epsilon, so that a preamble has few rows. */
const LOOSE: OnlineOptions = { target: 'y', bounds, epsilon: 20, delta: 1e-6 };
const simulated: OnlineOptions = { ...LOOSE, seed: 'noise' };
const plain = ({ lag: _, ledger: __, position: ___, ...estimate }: OnlineEstimate): unknown =>
  JSON.parse(JSON.stringify(estimate));

describe('estimateOnline, private', () => {
  let folder: string;
  let secret: OnlineOptions;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-private-'));
    secret = {
      ...LOOSE,
      checkpoint: join(folder, 'state'),
      ledger: { file: join(folder, 'ledger.jsonl'), dataset: 'rows' },
    };
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const messageOf = async (source: Parameters<typeof estimateOnline>[0], options: OnlineOptions): Promise<string> => {
    const found = await allOf(estimateOnline(source, options)).catch(error => error);
    await pause(20);
    return found instanceof Error ? found.message : 'none';
  };

  it('comes near the truth, the same however rows are cut, and shows nothing that was not released', async () => {
    const rows = scaledRows(5000);
    const whole = await allOf(estimateOnline(cut(rows, 5000), simulated));
    const found = await allOf(estimateOnline(cut(rows, 77, 800), simulated));
    expect(found.map(plain)).to.deep.equal(whole.map(plain));
    const last = whole.at(-1)!;
    for (const [name, truth] of Object.entries({ x1: 0.4, x2: -0.3, '(intercept)': 0.1 })) {
      const { estimate, error } = last.coefficients[name]!;
      expect(Math.abs(estimate - truth)).to.be.below(6 * error!);
    }
    expect(last.progressiveError).to.equal(null);
    expect(last.deadLetters).to.equal(null);
    expect(last.model.rows.invalid).to.equal(null);
    expect(last.model.ledger.note).to.equal('NOT PRIVATE (seeded)');
    expect(whole[0]!.notes.map(({ text }) => text).join()).to.include('the preamble');
    expect(last.chunk).to.equal(whole.length - 1);
  });

  it('charges its ledger once, goes on without another charge, and finishes with its stream', async () => {
    const rows = scaledRows(3000);
    const first = await allOf(estimateOnline(cut(rows, 500), secret).pipe(take(5)));
    await pause(50);
    const charged = readFileSync(join(folder, 'ledger.jsonl'), 'utf8');
    const second = await allOf(estimateOnline(cut(rows, 500), secret));
    // The last estimate is published again, to the bit, although it was made of noise.
    expect(plain(second[0]!)).to.deep.equal(plain(first[4]!));
    const { ledger } = second.at(-1)!.model;
    expect(ledger).to.deep.include({ private: true, epsilon: 20, delta: 1e-6, unit: 'row' });
    expect(ledger.file!.dataset).to.equal('rows');
    const lines = readFileSync(join(folder, 'ledger.jsonl'), 'utf8');
    expect(lines.startsWith(charged)).to.equal(true);
    const [account] = readLedgerFile(join(folder, 'ledger.jsonl')).accounts;
    expect(account!.runs.map(({ charges, isFinished }) => [charges, isFinished])).to.deep.equal([[1, true]]);
    expect(await messageOf(cut(rows, 500), secret)).to.include('is not in progress in the ledger');
  });

  it('knows the files of a folder again by a key beside the ledger, and is refused without it', async () => {
    const [from, key] = [join(folder, 'rows'), join(folder, 'ledger.jsonl.key')];
    mkdirSync(from);
    writeFileSync(join(from, 'a.arrow'), tableToIPC(scaledRows(3000), 'file'));
    await allOf(estimateOnline(from, { ...secret, untilRows: 1500 }));
    expect(statSync(key).mode & 0o777).to.equal(0o600);
    expect(readFileSync(key).length).to.equal(32);
    expect(readdirSync(join(folder, 'state'))).to.deep.equal(['checkpoint.json']);
    const kept = readFileSync(key);
    // A file of the same rows, as after the folder was moved to another machine.
    rmSync(join(from, 'a.arrow'));
    writeFileSync(join(from, 'a.arrow'), tableToIPC(scaledRows(3000), 'file'));
    const more = await allOf(estimateOnline(from, { ...secret, untilRows: 2500 }));
    expect(more.at(-1)!.rows.read).to.be.above(1500);
    rmSync(key);
    expect(await messageOf(from, secret)).to.match(/\.key is the key by which .* bring it back to where the ledger is/);
    writeFileSync(
      key,
      kept.map(byte => byte ^ 1),
    );
    expect(await messageOf(from, secret)).to.match(/a\.arrow: was changed after rows of it were used/);
    writeFileSync(key, kept);
    writeFileSync(join(from, 'a.arrow'), tableToIPC(scaledRows(3000, 2), 'file'));
    expect(await messageOf(from, secret)).to.match(/a\.arrow: was changed after rows of it were used/);
  });

  it('refuses an old checkpoint, a copy that went another way, a lost witness, and a second writer', async () => {
    const rows = scaledRows(9000);
    const [state, copy] = [join(folder, 'state'), join(folder, 'copy')];
    await allOf(estimateOnline(cut(rows, 500), secret).pipe(take(4)));
    await pause(50);
    cpSync(state, copy, { recursive: true });
    await allOf(estimateOnline(cut(rows, 500), secret).pipe(take(4)));
    await pause(50);
    expect(await messageOf(cut(rows, 500), { ...secret, checkpoint: copy })).to.match(
      /has 4 releases, but .* knows of 7.*second release/,
    );
    const witness = readdirSync(folder).find(name => name.endsWith('.releases'))!;
    // Another release 4 was made from the copy, where nothing could notice.
    cpSync(join(folder, witness), join(folder, 'kept'));
    rmSync(join(folder, witness));
    expect(await messageOf(cut(rows, 500), secret)).to.include('which says how far the run has come, is missing');
    cpSync(join(folder, 'kept'), join(folder, witness));
    const running = estimateOnline(endless(rows), secret);
    const subscription = running.subscribe(() => {});
    await pause(50);
    expect(await messageOf(cut(rows, 500), secret)).to.include('is in use by this process');
    cpSync(state, join(folder, 'third'), { recursive: true });
    rmSync(join(folder, 'third', 'checkpoint.json.lock'), { force: true });
    expect(await messageOf(cut(rows, 500), { ...secret, checkpoint: join(folder, 'third') })).to.include(
      '.releases is in use by this process',
    );
    subscription.unsubscribe();
  });

  it('has equal checkpoints and estimates for neighbouring streams, given equal releases', async () => {
    const rows = scaledRows(2500);
    const values = ['x1', 'x2', 'y'].map(name => [...rows.getChild(name)!.toArray()] as (number | null)[]);
    const worlds = await Promise.all(
      [null, NaN, Infinity, -Infinity].map(async (value, world) => {
        const changed = values.map(column => [...column]);
        for (let row = 5; row < 2500; row += 97) changed[row % 3]![row] = value;
        const source = cut(scaledRows(2500, 1, { x1: changed[0]!, x2: changed[1]!, y: changed[2]! }), 800);
        const checkpoint = join(folder, `world ${world}`);
        const kept: string[] = [];
        const output = {
          name: 'keeper',
          publish: async () => void kept.push(readFileSync(join(checkpoint, 'checkpoint.json'), 'utf8')),
        };
        const news: unknown[] = [];
        const found = await allOf(
          estimateOnline(source, { ...simulated, checkpoint, outputs: [output], onStatus: told => news.push(told) }),
        );
        return { found: found.map(plain), kept, news };
      }),
    );
    for (const world of worlds.slice(1)) expect(world).to.deep.equal(worlds[0]);
    expect(worlds[0]!.kept.length).to.be.above(10);
  });

  it('knows units by texts and by numbers, caps them for life over restarts, and keeps their counts apart', async () => {
    const texts = Array.from({ length: 12_000 }, (_, i) => `rider ${(i * 7) % 400}`);
    const numbers = Int32Array.from(texts, text => Number(text.slice(6)));
    const options = { ...simulated, epsilon: 100, unit: 'rider', maxPerUnit: 10, perChunk: 2 };
    const doubles = Float64Array.from(numbers);
    const [byText, byNumber, byDouble] = await Promise.all(
      [texts, numbers, doubles].map(rider =>
        allOf(estimateOnline(cut(scaledRows(12_000, 1, { rider }), 650), options)),
      ),
    );
    const estimates = (all: readonly OnlineEstimate[]) => all.map(({ coefficients }) => coefficients);
    expect(byText!.length).to.be.above(8);
    expect(estimates(byText!)).to.deep.equal(estimates(byNumber!));
    expect(estimates(byText!)).to.deep.equal(estimates(byDouble!));
    // What is no whole number is nobody's row.
    const odd = doubles.map((unit, i) => (i % 3 === 0 ? [0.5, NaN, Infinity, 2 ** 53][i % 4]! : unit));
    const some = await allOf(estimateOnline(cut(scaledRows(12_000, 1, { rider: odd }), 650), options));
    const nulls = [...doubles].map((unit, i) => (i % 3 === 0 ? null : unit));
    const without = await allOf(estimateOnline(cut(scaledRows(12_000, 1, { rider: nulls }), 650), options));
    expect(estimates(some)).to.deep.equal(estimates(without));
    expect(estimates(some)).not.to.deep.equal(estimates(byText!));
    // Without a cap other rows count, so the releases differ.
    const loose = await allOf(
      estimateOnline(cut(scaledRows(12_000, 1, { rider: texts.map((_, i) => i) }), 650), options),
    );
    expect(estimates(loose)).not.to.deep.equal(estimates(byText!));

    const kept = { ...secret, epsilon: 100, unit: 'rider', maxPerUnit: 10, perChunk: 2 };
    const rows = () => cut(scaledRows(12_000, 1, { rider: texts }) as Table, 650);
    for (const stop of [2, 3, 4]) {
      await allOf(estimateOnline(rows(), kept).pipe(take(stop)));
      await pause(50);
    }
    const counts = readFileSync(join(folder, 'state', 'units.bin'));
    const used = new Map<string, number>();
    for (let at = 0, release = 0; at < counts.length; release++) {
      expect(counts.readDoubleBE(at)).to.equal(release);
      const end = at + 12 + counts.readUInt32BE(at + 8);
      for (at += 12; at < end; at += 12) {
        const unit = counts.subarray(at, at + 8).toString('hex');
        const count = counts.readUInt32BE(at + 8);
        expect(count - (used.get(unit) ?? 0)).to.be.within(1, 2);
        expect(count).to.be.at.most(10);
        used.set(unit, count);
      }
    }
    expect(used.size).to.equal(400);
    expect(readFileSync(join(folder, 'state', 'checkpoint.json'), 'utf8')).not.to.include('rider ');
  });

  it('begins anew after an alarm, with a preamble of its own under the same charge', async () => {
    const calm = scaledRows(45_000);
    const y = [...calm.getChild('y')!.toArray()] as number[];
    // The intercept jumps after 30,000 rows.
    const jumped = y.map((value, i) => (i < 33_000 ? value : Math.max(-1, value - 0.5)));
    const rows = scaledRows(45_000, 1, { y: jumped });
    const options = { ...secret, epsilon: 40, chunk: 150 };
    const found = await allOf(estimateOnline(cut(rows, 1000), options));
    const at = found.findIndex(({ alarm }) => alarm !== null);
    expect(at, 'an alarm').to.be.above(0);
    expect(found[at]!.alarm).to.deep.equal({ chunk: at, coefficient: '(intercept)' });
    expect(found[at]!.rows.read).to.be.above(33_000);
    const notes = (k: number): string => found[k]!.notes.map(({ text }) => text).join();
    expect(notes(at)).to.include('counting began anew');
    expect(notes(at + 1)).to.include('the preamble of');
    expect(found[at + 1]!.chunk).to.equal(at + 1);
    expect(Object.values(found.at(-1)!.coefficients).every(({ error }) => error !== null)).to.equal(true);
    expect(found.at(-1)!.coefficients['(intercept)']!.estimate).to.be.within(-0.6, -0.2);
    expect(readLedgerFile(join(folder, 'ledger.jsonl')).accounts[0]!.runs[0]!.charges).to.equal(1);

    // Stopped at the alarm itself, a run goes on with the new segment.
    const split = { ...options, checkpoint: join(folder, 'other'), ledger: { ...options.ledger!, dataset: 'again' } };
    const some = await allOf(estimateOnline(cut(rows, 1000), { ...split, untilRows: found[at]!.rows.read + 10 }));
    expect(some.at(-1)!.alarm).not.to.equal(null);
    await pause(20);
    const rest = await allOf(estimateOnline(cut(rows, 1000), split));
    expect(rest.at(-1)!.rows.read).to.equal(found.at(-1)!.rows.read);
  });

  it('never ends for what a row holds: bad JSON, other columns and texts count as rows', async () => {
    const rows = scaledRows(6000);
    const columns = ['x1', 'x2', 'y'].map(name => rows.getChild(name)!.toArray() as Float64Array);
    const lines = Array.from({ length: 6000 }, (_, i) => {
      const [x1, x2, y] = columns.map(column => column[i]!);
      const odd = ['{"x1": oops', '[]', '{"z": 1}', '{"x1": "a", "x2": {}, "y": 1e999}'][Math.floor(i / 50) % 4]!;
      // 7 and '7' are the same rider.
      const rider = i % 2 === 0 ? i % 3000 : String(i % 3000);
      return i % 50 === 49 ? odd : JSON.stringify({ x1, x2, y, rider });
    });
    const path = join(folder, 'rows.ndjson');
    writeFileSync(path, `${lines.join('\n')}\n`);
    const options = { ...simulated, epsilon: 60, unit: 'rider', maxPerUnit: 2, untilRows: 5800 };
    const found = await allOf(estimateOnline(path, options));
    expect(found.at(-1)!.rows.read).to.be.above(4000);
    expect(Math.abs(found.at(-1)!.coefficients.x1!.estimate - 0.4)).to.be.below(0.15);
  });
});

async function* endless(rows: Table) {
  yield* cut(rows, 500);
  await new Promise(() => {});
}
