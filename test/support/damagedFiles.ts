import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBConnection } from '@duckdb/node-api';
import { tableFromArrays, tableToIPC } from 'apache-arrow';
import { expect } from 'chai';
import { fitRows } from '../../src/fit/fitRows.ts';
import { normal } from '../../src/math/random/normal.ts';
import { uniform } from '../../src/math/random/random.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { openRows } from '../../src/source/read/openRows.ts';

const rows = 400;
const codecs = ['snappy', 'uncompressed', 'zstd', 'lz4_raw', 'gzip', 'brotli'];

/** So many files of every format, each damaged by a seed of its own. */
export function readsDamagedFiles(each: number): void {
  describe(`${(8 * each).toLocaleString('en')} damaged files`, () => {
    let folder: string;
    let scratch: string;
    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'sluice-damage-'));
      scratch = join(folder, 'scratch');
      mkdirSync(scratch);
      const random = seeded('damage', 'data');
      const a = Float64Array.from({ length: rows }, () => normal(random));
      const y = a.map(value => 3 * value + normal(random));
      writeFileSync(join(folder, 'sound.arrow'), tableToIPC(tableFromArrays({ a, y }), 'file'));
      writeFileSync(join(folder, 'sound.arrows'), tableToIPC(tableFromArrays({ a, y }), 'stream'));
      writeFileSync(join(folder, 'sound.csv'), `a,y\n${Array.from(a, (value, i) => `${value},${y[i]}`).join('\n')}\n`);
      const connection = await DuckDBConnection.create();
      for (const codec of codecs) {
        const path = join(folder, `${codec}.parquet`);
        await connection.run(
          `COPY (FROM '${join(folder, 'sound.csv')}') TO '${path}' (FORMAT parquet, COMPRESSION ${codec})`,
        );
      }
      connection.closeSync();
    });
    after(() => rmSync(folder, { recursive: true }));

    /** A flipped byte, a run of noise, a cut, or a piece moved. */
    function damaged(sound: Uint8Array, seed: number): Uint8Array {
      const random = seeded(seed, 'damage');
      const place = (): number => Math.floor(uniform(random) * sound.length);
      const bytes = sound.slice();
      switch (seed % 4) {
        case 0:
          bytes[place()]! ^= 1 << Math.floor(8 * uniform(random));
          return bytes;
        case 1: {
          const start = place();
          for (let i = start; i < Math.min(bytes.length, start + 8); i++) bytes[i] = random.word() & 255;
          return bytes;
        }
        case 2:
          return bytes.subarray(0, place());
        default:
          bytes.copyWithin(place(), place(), Math.min(bytes.length, place() + 16));
          return bytes;
      }
    }

    for (const name of ['sound.arrow', 'sound.arrows', ...codecs.map(codec => `${codec}.parquet`)]) {
      it(`${name}: ${each} of them are refused with a clear message or read to an estimate, and nothing else`, async () => {
        const sound = new Uint8Array(readFileSync(join(folder, name)));
        const outcomes = { refused: 0, estimated: 0 };
        const path = join(folder, `damaged-${name}`);
        for (let seed = 0; seed < each; seed++) {
          writeFileSync(path, damaged(sound, seed));
          try {
            const samples = await openRows(path, { target: 'y', features: ['a'] });
            try {
              // Rows are shuffled through a file, however few.
              const { fit } = await fitRows(samples, { steps: 2, mode: 'full', memoryBytes: 0, scratch });
              expect(fit.theta).to.have.length(2);
              expect(fit.theta.every(Number.isFinite), `${path}, seed ${seed}: ${fit.theta}`).to.equal(true);
              outcomes.estimated++;
            } finally {
              await samples.close();
            }
          } catch (error) {
            const { name: kind, message, stack } = error as Error;
            expect(kind, `${path}, seed ${seed}: ${stack}`).to.equal('ArgumentError');
            expect(message, message).to.not.match(/undefined|\[object|NaN rows/);
            outcomes.refused++;
          }
        }
        expect(outcomes.refused + outcomes.estimated).to.equal(each);
        expect(outcomes.refused).to.be.above(each / 5);
        expect(readdirSync(scratch)).to.deep.equal([]);
      });
    }
  });
}
