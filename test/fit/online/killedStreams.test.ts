import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { writeDurably } from '../../../src/files.ts';
import type { WriteFile } from '../../../src/fit/online/checkpoint.ts';
import { conducted, type OnlineOptions } from '../../../src/fit/online/estimateOnline.ts';
import type { OnlineEstimate } from '../../../src/fit/online/onlineEstimate.ts';
import { readLedgerFile } from '../../../src/privacy/ledgerFile/readLedgerFile.ts';
import { expectSameStream, folderFeed, killWatchers, undisturbed } from '../../support/killedStreams.ts';
import { allOf, cut, scaledRows, townRows } from '../../support/onlineRows.ts';

const plain = ({ lag: _, ledger: __, position, ...estimate }: OnlineEstimate): string =>
  JSON.stringify({ ...estimate, position });

/** Where a run is killed: at which of its writes and publications, and whether that one is done by then. */
interface Kill {
  readonly at: number;
  readonly isDone: boolean;
}

const kills = fc.array(fc.record({ at: fc.integer({ min: 0, max: 7 }), isDone: fc.boolean() }), {
  minLength: 1,
  maxLength: 6,
});

/** Runs until it is killed, or to its end; what it published is appended to `seen`. Returns whether it ended. */
async function runUntil(
  kill: Kill | null,
  source: Parameters<typeof conducted>[0],
  options: OnlineOptions,
  seen: OnlineEstimate[],
): Promise<boolean> {
  const stop = new AbortController();
  let acts = 0;
  /** Dead processes never answer. */
  const act = async (work: () => Promise<void>): Promise<void> => {
    if (kill !== null && acts++ === kill.at) {
      if (kill.isDone) await work();
      stop.abort(new Error('killed'));
      await new Promise(() => {});
    }
    await work();
  };
  const write: WriteFile = (path, text) => act(() => writeDurably(path, text));
  const output = { name: 'seen', publish: (estimate: OnlineEstimate) => act(async () => void seen.push(estimate)) };
  const run = allOf(conducted(source, { ...options, outputs: [output], signal: stop.signal }, { write }));
  const killed = new Promise<boolean>((_, reject) => {
    stop.signal.addEventListener('abort', () => reject(stop.signal.reason));
  });
  try {
    await Promise.race([run, killed]);
    return true;
  } catch (error) {
    if ((error as Error).message !== 'killed') throw error;
    return false;
  }
}

describe('a killed stream', function () {
  this.timeout(120_000);
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-killed-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** A dead process holds no lock; this one lives on, so its locks are removed by hand. */
  const release = (...paths: string[]): void => {
    for (const path of paths) rmSync(`${path}.lock`, { force: true });
  };

  it('loses no row and uses none twice, wherever it was killed', async () => {
    const rows = townRows(4200, 5);
    const asked: OnlineOptions = { target: 'y', chunk: 400 };
    const whole = (await allOf(conducted(cut(rows, 130), asked))).map(plain);
    let folders = 0;
    await fc.assert(
      fc.asyncProperty(kills, async points => {
        const checkpoint = join(folder, String(folders++));
        const seen: OnlineEstimate[] = [];
        for (const point of [...points, null]) {
          const ended = await runUntil(point, cut(rows, 130), { ...asked, checkpoint }, seen);
          release(join(checkpoint, 'checkpoint.json'));
          if (ended) break;
        }
        for (const estimate of seen) expect(plain(estimate)).to.equal(whole[estimate.chunk]);
        expect(seen.at(-1)!.chunk).to.equal(whole.length - 1);
        // At most one chunk was published twice in a row for each kill, and none was left out after the first.
        const chunks = seen.map(({ chunk }) => chunk);
        chunks.slice(1).forEach((chunk, k) => {
          expect(chunk - chunks[k]!).to.be.within(0, 2);
        });
      }),
      { seed: 3, numRuns: 12 },
    );
  });

  it('makes one release for each position, in private, and one charge', async () => {
    const rows = scaledRows(2600, 5);
    const asked: OnlineOptions = {
      target: 'y',
      bounds: { x1: [-1, 1], x2: [-1, 1], y: [-1, 1] },
      epsilon: 60,
      delta: 1e-6,
      unit: 'rider',
      maxPerUnit: 3,
    };
    const riders = scaledRows(2600, 5, { rider: Array.from({ length: 2600 }, (_, i) => `r${i % 1300}`) });
    expect(rows.numRows).to.equal(riders.numRows);
    let folders = 0;
    await fc.assert(
      fc.asyncProperty(kills, async points => {
        const place = join(folder, String(folders++));
        const ledger = { file: `${place}.jsonl`, dataset: 'rows' };
        const options = { ...asked, checkpoint: place, ledger };
        const seen: OnlineEstimate[] = [];
        const versions: string[] = [];
        for (const point of [...points, { at: 12, isDone: true }]) {
          await runUntil(point, cut(riders, 130), options, seen);
          const { runs } = readLedgerFile(ledger.file).accounts[0]!;
          release(join(place, 'checkpoint.json'), ...runs.map(({ run }) => `${ledger.file}.${run}.releases`));
          const text = await readOrNull(join(place, 'checkpoint.json'));
          if (text !== null && text !== versions.at(-1)) versions.push(text);
        }
        // Noise is drawn anew at every try, so that equal estimates are of one release.
        const byChunk = new Map<string, string>();
        for (const estimate of seen) {
          const key = `${estimate.model.ledger.file!.run} ${estimate.chunk}`;
          expect(byChunk.get(key) ?? plain(estimate)).to.equal(plain(estimate));
          byChunk.set(key, plain(estimate));
        }
        // A run that was killed before its first checkpoint is charged again; none that has one is.
        const { runs } = readLedgerFile(ledger.file).accounts[0]!;
        expect(new Set(seen.map(({ model }) => model.ledger.file!.run)).size).to.be.at.most(1);
        expect(runs.every(({ charges }) => charges === 1)).to.equal(true);
        if (versions.length < 3) return;
        // A checkpoint that was restored from a copy is noticed.
        const latest = versions.at(-1)!;
        const old = versions.find(text => releasesOf(text) < releasesOf(latest) - 1);
        if (old === undefined) return;
        writeFileSync(join(place, 'checkpoint.json'), old);
        const error = await runUntil(null, cut(riders, 130), options, []).catch(caught => caught);
        expect(error.message).to.include('second release');
      }),
      { seed: 4, numRuns: 12 },
    );
  });

  it('is the same stream after it was killed as a process, over a folder into which files arrive', async () => {
    const asked: OnlineOptions = { target: 'y', chunk: 400 };
    const {
      published,
      sent,
      kills: count,
    } = await killWatchers(folder, folderFeed(folder, 300), asked, {
      ...{ kills: 4, chunk: 400 },
    });
    expect(count).to.equal(4);
    expect(published.length).to.be.above(4);
    expectSameStream(published, await undisturbed(sent, asked));
  });
});

const releasesOf = (text: string): number => JSON.parse(text).content.releases;

async function readOrNull(path: string): Promise<string | null> {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
