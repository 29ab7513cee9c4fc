import { appendFileSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { growingFile } from '../../../src/source/live/growingFile.ts';
import { failureOf, OPEN, type Read, readLive } from '../../support/liveRows.ts';

const numbers = (rows: Read['rows']): unknown[] => rows.map(({ x }) => x);

const PRIVATE = { forPrivate: true, columns: { x: 'number' } } as const;
const MODES = [{}, PRIVATE] as const;

describe('growingFile', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-growing-'));
    path = join(folder, 'log.ndjson');
    writeFileSync(path, '');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const stream = () => growingFile(path, { every: 20 });

  it('gives the same rows however they are appended, and the rest of them from any position', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 }),
        fc.nat(),
        fc.constantFrom(...MODES),
        async (rows, cuts, pick, options) => {
          const text = Array.from({ length: rows }, (_, x) => `{"x":${x},"s":"é"}\n`).join('');
          const bytes = Buffer.from(text);
          rmSync(path);
          writeFileSync(path, '');
          let at = 0;
          const timer = setInterval(() => {
            const length = cuts[at % cuts.length]!;
            appendFileSync(path, bytes.subarray(at, at + length));
            at += length;
          }, 1);
          try {
            const whole = await readLive(stream(), options, rows);
            expect(numbers(whole.rows)).to.deep.equal([...Array(rows).keys()]);
            const from = whole.positions[pick % rows]!;
            const left = rows - (pick % rows) - 1;
            if (left === 0) return;
            const rest = await readLive(stream(), { ...options, from }, left);
            expect(numbers(rest.rows)).to.deep.equal([...Array(rows).keys()].slice(rows - left));
          } finally {
            clearInterval(timer);
          }
        },
      ),
      { seed: 7, numRuns: 40 },
    );
  });

  it('waits for the end of a line, and buries one that cannot be read', async () => {
    writeFileSync(path, '{"x":1}\n{"x":');
    const { rows, letters, last } = await readLive(stream(), {}, 3, at => {
      if (at === 1) appendFileSync(path, '2}\nnothing\n\n{"x":3}\n{"x":4}');
    });
    expect(numbers(rows)).to.deep.equal([1, 2, 3]);
    expect(letters).to.have.length(1);
    expect(letters[0]).to.include({ reason: 'is not a JSON object', record: 'nothing' });
    expect((last as { bytes: number }).bytes).to.equal(33);
  });

  it('takes every line for a row in a private run, and no length of a line shows', async () => {
    writeFileSync(path, '{"x":1}\nnothing\n\n{"x":3}\n');
    const { rows, last, positions } = await readLive(stream(), PRIVATE, 4);
    expect(numbers(rows)).to.deep.equal([1, null, null, 3]);
    expect(last).to.have.all.keys('line', 'file', 'made');
    const rest = await readLive(stream(), { ...PRIVATE, from: positions[1]! }, 2);
    expect(numbers(rest.rows)).to.deep.equal([null, 3]);
  });

  for (const options of MODES) {
    const mode = options === PRIVATE ? ' in a private run' : '';

    it(`says that the file was truncated, moved away or replaced, and has read it to its end${mode}`, async () => {
      const deeds: readonly (readonly [() => void, RegExp])[] = [
        [() => truncateSync(path, 3), /was truncated: it has fewer bytes than were read/],
        [() => writeFileSync(path, '{"x":7}\n'), /was truncated/],
        [() => rmSync(path), /was moved away or replaced/],
        [
          () => {
            renameSync(path, `${path}.1`);
            appendFileSync(`${path}.1`, '{"x":3}\n');
            writeFileSync(path, '{"x":9}\n');
          },
          /was moved away or replaced, as when a log is rotated; all that it held was read/,
        ],
        [
          () => writeFileSync(path, '{"x":70}\n{"x":80}\n{"x":90}\n{"x":100}\n'),
          /(does not begin as it did|was truncated)/,
        ],
      ];
      for (const [k, [deed, message]] of deeds.entries()) {
        rmSync(path, { force: true });
        writeFileSync(path, '{"x":1}\n{"x":2}\n');
        let seen = 0;
        const error = await failureOf(
          readLive(stream(), options, Infinity, at => {
            seen = at;
            if (at === 2) deed();
          }),
        );
        expect(error.message, String(k)).to.match(message);
        expect(error.code).to.equal('ERR_CHANGED');
        expect(seen, String(k)).to.equal(k === 3 ? 3 : 2);
      }
    });

    it(`refuses to go on with a file that is not the one that was read, and names the difference${mode}`, async () => {
      writeFileSync(path, '{"x":1}\n{"x":2}\n');
      const { last } = await readLive(stream(), options, 2);
      const resumed = async () => failureOf(readLive(stream(), { ...options, from: { after: last, rows: 0 } }, 1));
      truncateSync(path, 8);
      expect((await resumed()).message).to.match(
        options === PRIVATE ? /has 1 line, but 2 were/ : /has 8 bytes, but 16 were/,
      );
      renameSync(path, `${path}.1`);
      writeFileSync(path, '{"y":1}\n{"x":2}\n{"x":3}\n');
      const replaced = await resumed();
      expect(replaced.message).to.match(options === PRIVATE ? /was made anew/ : /does not begin as it did/);
      expect(replaced.code).to.equal('ERR_CHANGED');
      rmSync(`${path}.1`);
    });
  }

  it('refuses a position within a line', async () => {
    writeFileSync(path, '{"x":1}\n{"x":2}\n');
    const { last } = await readLive(stream(), {}, 2);
    const from = { after: { ...(last as object), bytes: 12 }, rows: 0 };
    expect((await failureOf(readLive(stream(), { from }, 1))).message).to.match(/has no line that ends at byte 12/);
  });

  it('ends at once when it is closed while it waits, and is refused where there is no file', async () => {
    const opened = await growingFile(path, { every: 60_000 }).open(OPEN);
    const first = opened.arrivals[Symbol.asyncIterator]().next();
    await new Promise(resolve => setTimeout(resolve, 50));
    await opened.close();
    expect((await first).done).to.equal(true);
    expect((await failureOf(readLive(growingFile(join(folder, 'absent'))))).message).to.match(/no such file/);
    expect((await failureOf(readLive(growingFile(folder)))).message).to.match(/is a folder/);
  });
});
