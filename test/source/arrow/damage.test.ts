/**
 * Damaged files and streams. Metadata have no checksum, so damage to them can turn one valid table into another; what
 * is promised is that nothing but a DataError is thrown, that no byte outside the file is asked for, and that damage to
 * a body shows nowhere else:
 *
 *   - in the body of record batch k: the fields, the row counts and the values of all other batches are the same;
 *   - in the body of a dictionary: only columns of dictionaries may differ;
 *   - outside of everything that is read (padding): nothing differs.
 */
import { readFileSync } from 'node:fs';
import { Message, MessageHeader } from 'apache-arrow';
import { expect } from 'chai';
import { DataError } from '../../../src/errors.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { openArrowFile } from '../../../src/source/arrow/openArrowFile.ts';
import { openArrowStream } from '../../../src/source/arrow/openArrowStream.ts';
import type { Field } from '../../../src/source/table/table.ts';
import { damage } from '../../support/arrowDamage.ts';
import { chunked, withFile } from '../../support/arrowFiles.ts';
import { observeReads } from '../../support/arrowReads.ts';
import { type Contents, contentsOf, fixture, recorded, type Value } from '../../support/arrowTables.ts';

const CASES = 125;

interface Outcome extends Contents {
  readonly fields: readonly Field[];
}

const isStream = (name: string): boolean => name.endsWith('.arrows');

/** From a file, and every other time, where that is possible, from chunks. */
async function read(name: string, bytes: Uint8Array, inChunks: boolean): Promise<Outcome> {
  const { levels } = recorded(name.split('.')[0]!);
  const options = { levels, most: 64, piece: 5 };
  if (inChunks) {
    const table = await openArrowStream(chunked(bytes, 777));
    return { fields: table.fields, ...(await contentsOf(table, options)) };
  }
  return withFile(bytes, path =>
    observeReads(async reads => {
      const table = await (isStream(name) ? openArrowStream : openArrowFile)(path);
      const contents = await contentsOf(table, options);
      expect(reads.furthest).to.be.at.most(bytes.length);
      return { fields: table.fields, ...contents };
    }),
  );
}

interface Body {
  readonly header: MessageHeader;
  readonly from: number;
  readonly to: number;
}

/** Where the bodies lie, by apache-arrow's reading of the messages; a file holds a stream behind its magic letters. */
function bodiesOf(bytes: Buffer, name: string): Body[] {
  const bodies: Body[] = [];
  for (let at = isStream(name) ? 0 : 8; ; ) {
    const isNew = bytes.readInt32LE(at) === -1;
    const start = at + (isNew ? 8 : 4);
    const length = bytes.readInt32LE(start - 4);
    if (length === 0) return bodies;
    const { headerType, bodyLength } = Message.decode(bytes.subarray(start, start + length));
    const from = start + length;
    at = from + bodyLength;
    bodies.push({ header: headerType, from, to: at });
  }
}

/** The values of each frame, without those of the frame `but`. */
function others({ rows, columns }: Contents, but: number): (readonly Value[] | undefined)[][] {
  const start = (frame: number): number => rows.slice(0, frame).reduce((sum, count) => sum + count, 0);
  return [...rows.keys()]
    .filter(frame => frame !== but)
    .map(frame => Object.values(columns).map(values => values?.slice(start(frame), start(frame + 1))));
}

describe('damaged Arrow data', () => {
  const names = [
    'numbers.arrow',
    'numbers.arrows',
    'numbers.lz4.arrow',
    'times.zstd.arrows',
    'texts.arrow',
    'texts.zstd.arrows',
    'texts.lz4.arrow',
    'others.arrow',
    'legacy.arrow',
    'legacy.arrows',
    'growing.arrow',
    'changing.arrows',
  ];
  for (const name of names) {
    it(`ends in a DataError or shows only where it is: ${CASES} damages to ${name}`, async () => {
      const bytes = readFileSync(fixture(name));
      const bodies = bodiesOf(bytes, name);
      const batches = bodies.filter(({ header }) => header === MessageHeader.RecordBatch);
      const original = await read(name, bytes, false);
      const random = seeded(1, name);
      let refused = 0;
      for (let k = 0; k < CASES; k++) {
        const { name: what, bytes: damaged, touched } = damage(bytes, random);
        const outcome = await read(name, damaged, isStream(name) && k % 2 === 1).catch(error => error);
        if (outcome instanceof Error) {
          if (!(outcome instanceof DataError)) expect.fail(`${what}: ${outcome.stack}`);
          refused++;
          continue;
        }
        const body = touched && bodies.find(({ from, to }) => touched[0] >= from && touched[1] < to);
        if (body === undefined) continue;
        expect(outcome.fields, what).to.deep.equal(original.fields);
        expect(outcome.rows, what).to.deep.equal(original.rows);
        if (body.header === MessageHeader.RecordBatch) {
          const batch = batches.indexOf(body);
          expect(others(outcome, batch), what).to.deep.equal(others(original, batch));
        } else {
          for (const { name: column, type } of original.fields) {
            if (!type.startsWith('Dictionary')) {
              expect(outcome.columns[column], what).to.deep.equal(original.columns[column]);
            }
          }
        }
      }
      expect(refused).to.be.above(CASES / 4);
    });
  }
});
