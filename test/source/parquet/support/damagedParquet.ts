import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { DataError } from '../../../../src/errors.ts';
import { seeded } from '../../../../src/math/random/seeded.ts';
import { readFooter } from '../../../../src/source/parquet/footer.ts';
import { openParquet } from '../../../../src/source/parquet/openParquet.ts';
import { pageReader } from '../../../../src/source/parquet/page.ts';
import { type Cell, fixture, pathOf } from './fixtures.ts';
import { readColumn } from './readColumn.ts';
import { temporaryFiles } from './temporaryFiles.ts';

/**
 * Files with some bytes changed. Whatever is changed, reading ends with values or with a DataError that begins with the
 * name of the file: no other error, no endless loop, no memory beyond reason.
 *
 * Which values? Where a writer leaves no checksums, a changed byte within a page may be a changed value, or many, and
 * nothing can tell. So:
 *   1. bytes changed among the pages of one column change no other column;
 *   2. bytes changed in the body of a page with a checksum change no value: the page is refused;
 *   3. the number of rows is the one that was written, wherever bytes were changed among the pages.
 * Bytes changed in the footer may change what the file says of itself, and are held to the first paragraph only.
 */

const levels = ['red', 'green', 'blue', '', 'grün', 'a', 'ab', 'abc'];

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where the pages of every column are, and the bodies of pages among them. */
function anatomy(bytes: Buffer): { chunks: ReadonlyMap<string, readonly Span[]>; bodies: readonly Span[] } {
  const readAt = (into: Uint8Array, position: number): void => {
    bytes.copy(into, 0, position, position + into.length);
  };
  const { columns, rowGroups } = readFooter('intact', bytes.length, readAt);
  const bodies: Span[] = [];
  const chunks = new Map<string, Span[]>();
  for (const { chunks: all } of rowGroups) {
    for (const { field, chunk } of columns) {
      const { dataPageOffset, dictionaryPageOffset, compressedSize } = all[chunk]!.metadata!;
      const start = dictionaryPageOffset ?? dataPageOffset!;
      const end = start + compressedSize!;
      chunks.set(field.name, [...(chunks.get(field.name) ?? []), { start, end }]);
      const pages = pageReader(readAt, end);
      for (let offset = start; offset < end; ) {
        const placed = pages.header(offset);
        bodies.push({ start: placed.start, end: placed.end });
        offset = placed.end;
      }
    }
  }
  return { chunks, bodies };
}

interface Damages {
  /** With bytes changed anywhere. */
  readonly changed: number;
  /** Cut short, with a part cut out, a part repeated, and a part overwritten: so many of each. */
  readonly cut: number;
  /** With bytes changed among the pages of one column. */
  readonly within: number;
}

/** So many damaged copies of each of some files, of every kind of damage. */
export function readsDamagedParquet({ changed, cut, within }: Damages): void {
  describe('a damaged Parquet file', () => {
    const write = temporaryFiles();

    /** All columns that can be read, or the DataError. Anything else is thrown. */
    async function outcome(bytes: Buffer): Promise<Map<string, readonly Cell[] | DataError>> {
      const path = write(bytes);
      const dataErrorOf = (error: unknown): DataError => {
        if (error instanceof DataError && error.message.startsWith(path)) return error;
        throw error;
      };
      const found = new Map<string, readonly Cell[] | DataError>();
      const table = await openParquet(path).catch(dataErrorOf);
      if (table instanceof DataError) return found;
      try {
        for (const { name, kind } of table.fields) {
          const asked = kind === 'text' ? levels : undefined;
          found.set(name, await readColumn(table, name, 30, asked).catch(dataErrorOf));
        }
      } finally {
        await table.close();
      }
      return found;
    }

    const files = [
      'codec-none-v1.parquet',
      'numbers-nulls-v1.parquet',
      'others-nulls-v2.parquet',
      'duckdb-uncompressed-v2.parquet',
      'rust-lz4-v1.parquet',
    ];

    for (const file of files) {
      it(`is refused or read, whatever bytes are changed in ${file}`, async () => {
        const intact = readFileSync(pathOf(file));
        const random = seeded(1, file);
        const below = (limit: number): number => random.word() % limit;
        for (let i = 0; i < changed; i++) {
          const bytes = Buffer.from(intact);
          // Half of the time in the footer, which is what everything else hangs on.
          const isFooter = below(2) === 0;
          const from = isFooter ? bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8) : 0;
          for (let k = below(3); k >= 0; k--) bytes[from + below(bytes.length - from)] = below(256);
          await outcome(bytes);
        }
        for (let i = 0; i < cut; i++) {
          const [a, b] = [below(intact.length), below(intact.length)].sort((x, y) => x - y) as [number, number];
          const without = Buffer.concat([intact.subarray(0, a), intact.subarray(b)]);
          const repeated = Buffer.concat([intact.subarray(0, b), intact.subarray(a)]);
          for (const bytes of [intact.subarray(0, b), without, repeated, Buffer.from(intact).fill(255, a, b)]) {
            await outcome(bytes);
          }
        }
      });

      it(`keeps damage within the column where it is in ${file}`, async () => {
        const intact = readFileSync(pathOf(file));
        const whole = await outcome(intact);
        const { chunks } = anatomy(intact);
        const random = seeded(2, file);
        for (let i = 0; i < within; i++) {
          const [damaged, spans] = [...chunks][random.word() % chunks.size]!;
          const { start, end } = spans[random.word() % spans.length]!;
          const bytes = Buffer.from(intact);
          for (let k = random.word() % 3; k >= 0; k--)
            bytes[start + (random.word() % (end - start))] = random.word() % 256;
          for (const [name, cells] of await outcome(bytes)) {
            if (name !== damaged) expect(cells).to.deep.equal(whole.get(name));
            else if (!(cells instanceof DataError))
              expect(cells).to.have.length((whole.get(name) as readonly Cell[]).length);
          }
        }
      });
    }

    for (const file of ['checksums-v1.parquet', 'checksums-v2.parquet']) {
      it(`is refused where the checksum of a page tells, in ${file}`, async () => {
        const intact = readFileSync(pathOf(file));
        const { bodies } = anatomy(intact);
        expect(bodies).to.have.length(4);
        const { columns } = fixture(file);
        expect((await outcome(intact)).get('double')).to.deep.equal(columns['double']);
        for (const { start, end } of bodies) {
          for (let at = start; at < end; at++) {
            const bytes = Buffer.from(intact);
            bytes[at]! ^= 1 << (at % 8);
            expect((await outcome(bytes)).get('double'))
              .to.be.instanceOf(DataError)
              .with.property('message')
              .that.includes('checksum');
          }
        }
      });
    }
  });
}
