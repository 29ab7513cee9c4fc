import { open } from 'node:fs/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { gatheredReads } from '../../../src/sample/shuffle/gatheredReads.ts';
import { casesOf } from '../../laws/holdsForAll.ts';
import { withFile } from '../../support/arrowFiles.ts';
import { observeReads } from '../../support/arrowReads.ts';

const bytes = Uint8Array.from({ length: 40_000 }, (_, i) => (i * 7 + (i >> 8)) & 255);

describe('gatheredReads', () => {
  it('gives every wish its bytes, however they lie', () =>
    withFile(bytes, async path => {
      const file = await open(path);
      const readAt = gatheredReads(file);
      const wish = fc.record({
        position: fc.integer({ min: 0, max: 30_000 }),
        length: fc.integer({ min: 0, max: 9_000 }),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(wish, { minLength: 1, maxLength: 20 }), async wishes => {
          const found = wishes.map(({ length }) => new Uint8Array(length));
          await Promise.all(wishes.map(({ position }, k) => readAt(found[k]!, position)));
          wishes.forEach(({ position, length }, k) => {
            expect(found[k]).to.deep.equal(bytes.slice(position, position + length));
          });
        }),
        { numRuns: casesOf(200), seed: 1 },
      );
      await file.close();
    }));

  it('makes one call for neighbours, and one each for those far apart', () =>
    withFile(bytes, async path => {
      const file = await open(path);
      const readAt = gatheredReads(file);
      await observeReads(async reads => {
        const neighbours = [0, 1_000, 2_064, 3_064].map(position => readAt(new Uint8Array(1_000), position));
        await Promise.all([...neighbours, readAt(new Uint8Array(10), 30_000)]);
        expect(reads).to.include({ calls: 2, bytes: 4_074 });
      });
      await file.close();
    }));

  it('fails every wish beyond the end, and only those', () =>
    withFile(bytes, async path => {
      const file = await open(path);
      const readAt = gatheredReads(file);
      const into = new Uint8Array(100);
      const results = await Promise.allSettled([
        readAt(into, 39_900),
        readAt(new Uint8Array(8), 39_999),
        readAt(new Uint8Array(8), 41_000),
      ]);
      expect(results.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'rejected']);
      expect(into).to.deep.equal(bytes.slice(39_900));
      await file.close();
    }));
});
