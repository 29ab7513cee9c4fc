import { expect } from 'chai';
import fc from 'fast-check';
import snappy from 'snappy';
import { seeded } from '../../../src/math/random/seeded.ts';
import { snappyBlock } from '../../../src/source/codec/snappyBlock.ts';
import { casesOf } from '../../laws/holdsForAll.ts';

/** Decoded by a library of its own, or why not. */
const reference = (block: Uint8Array): Buffer | undefined => {
  try {
    return snappy.uncompressSync(Buffer.from(block), { copyOutputData: true }) as Buffer;
  } catch {
    return undefined;
  }
};

const attempt = (decode: () => Uint8Array): Uint8Array | undefined => {
  try {
    return decode();
  } catch {
    return undefined;
  }
};

/** Bytes that repeat themselves at distances of a few bytes, a few dozen, and far away. */
const repetitive = fc
  .array(fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 80 }), fc.integer({ min: 1, max: 40 })), {
    minLength: 1,
    maxLength: 40,
  })
  .map(parts => Buffer.concat(parts.flatMap(([bytes, times]) => Array.from({ length: times }, () => bytes))));

describe('snappyBlock', () => {
  const decode = snappyBlock();

  it('decodes what a library compressed, also into memory that held something longer', () => {
    const spare = new Uint8Array(200_000).fill(7);
    fc.assert(
      fc.property(repetitive, bytes => {
        const block = snappy.compressSync(bytes);
        expect(Buffer.compare(decode(block, bytes.length), bytes)).to.equal(0);
        expect(Buffer.compare(decode(block, bytes.length, spare), bytes)).to.equal(0);
      }),
      { numRuns: casesOf(300), seed: 1 },
    );
  });

  it('decodes copies at every distance and of every length', () => {
    for (let distance = 1; distance <= 40; distance++) {
      for (let length = 1; length <= 64; length++) {
        const literal = Uint8Array.from({ length: distance }, (_, i) => 3 * i + 1);
        const tail = Uint8Array.from({ length: 60 }, (_, i) => 200 - i);
        const size = distance + length + tail.length;
        const copy = [((length - 1) << 2) | 2, distance, 0];
        const block = Uint8Array.from([
          ...(size < 128 ? [size] : [(size & 127) | 128, size >> 7]),
          (distance - 1) << 2,
          ...literal,
          ...copy,
          (tail.length - 1) << 2,
          ...tail,
        ]);
        const expected = [...literal, ...Array.from({ length }, (_, i) => literal[i % distance]!), ...tail];
        expect([...decode(block, size)]).to.deep.equal(expected);
      }
    }
  });

  it('agrees with the library on 20,000 damaged blocks: both refuse, or both give the same bytes', () => {
    const random = seeded(1, 'damage');
    const pages = [
      Buffer.from(Float64Array.from({ length: 200 }, () => (random.word() % 900) / 100).buffer),
      Buffer.from(Array.from({ length: 900 }, (_, i) => (i * i) % 7)),
    ].map(page => ({ page, block: snappy.compressSync(page) }));
    let refused = 0;
    for (let k = 0; k < 20_000; k++) {
      const { page, block } = pages[k % pages.length]!;
      const damaged = Uint8Array.from(block.subarray(0, k % 10 === 0 ? random.word() % block.length : undefined));
      for (let hits = 1 + (random.word() % 3); hits > 0; hits--) {
        // Past the length, which is checked on its own.
        damaged[2 + (random.word() % Math.max(1, damaged.length - 2))] = random.word() & 255;
      }
      const found = attempt(() => decode(damaged, page.length));
      const expected = reference(damaged);
      if (expected === undefined || expected.length !== page.length) {
        expect(found).to.equal(undefined);
        refused++;
      } else expect(Buffer.compare(found!, expected)).to.equal(0);
    }
    expect(refused).to.be.greaterThan(1_000);
  });

  it('refuses a block whose preamble states another length than the file', () => {
    const block = snappy.compressSync(Buffer.alloc(100, 1));
    expect(() => decode(block, 99)).to.throw('the preamble states another length');
  });
});
