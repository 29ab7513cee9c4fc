import { expect } from 'chai';
import fc from 'fast-check';
import lz4 from 'lz4-napi';
import { loadLz4Block } from '../../../src/source/codec/loadCodec.ts';
import { lz4Frame, xxHash32 } from '../../../src/source/codec/lz4Frame.ts';
import { casesOf } from '../../laws/holdsForAll.ts';

interface FrameStyle {
  readonly linked: boolean;
  readonly blockChecksums: boolean;
  readonly checksum: boolean;
  readonly contentSize: boolean;
  /** Bytes of a block: at most 64 KiB, which the header announces. */
  readonly block: number;
}

const word = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
};

/** A frame as the format describes it. */
function writeFrame(data: Buffer, { linked, blockChecksums, checksum, contentSize, block }: FrameStyle): Buffer {
  const flags = 0x40 | (linked ? 0 : 0x20) | (blockChecksums ? 0x10 : 0) | (contentSize ? 8 : 0) | (checksum ? 4 : 0);
  const size = contentSize ? [word(data.length), word(0)] : [];
  const descriptor = Buffer.concat([Buffer.from([flags, 0x40]), ...size]);
  const blocks: Buffer[] = [];
  for (let start = 0; start < data.length; start += block) {
    const plain = data.subarray(start, start + block);
    const before = linked && start > 0 ? data.subarray(Math.max(0, start - 65536), start) : undefined;
    const packed = lz4.compressSync(plain, before).subarray(4);
    const stored = packed.length < plain.length ? packed : plain;
    blocks.push(word(stored.length + (stored === plain ? 2 ** 31 : 0)), stored);
    if (blockChecksums) blocks.push(word(xxHash32(stored)));
  }
  const header = Buffer.from([(xxHash32(descriptor) >>> 8) & 255]);
  const end = checksum ? [word(0), word(xxHash32(data))] : [word(0)];
  return Buffer.concat([word(0x184d2204), descriptor, header, ...blocks, ...end]);
}

const style = fc.record({
  linked: fc.boolean(),
  blockChecksums: fc.boolean(),
  checksum: fc.boolean(),
  contentSize: fc.boolean(),
  block: fc.constantFrom(37, 1000, 65536),
});
/** Data that repeat themselves over some distance, so that blocks refer to the ones before them. */
const data = fc
  .tuple(fc.uint8Array({ minLength: 1, maxLength: 400 }), fc.integer({ min: 1, max: 700 }))
  .map(([pattern, times]) => Buffer.concat(Array.from({ length: times }, () => pattern)));

describe('lz4Frame', () => {
  let decode: ReturnType<typeof lz4Frame>;
  before(async () => {
    decode = lz4Frame(await loadLz4Block());
  });

  it('reads blocks that are linked or not, compressed or not, with and without checksums', () => {
    fc.assert(
      fc.property(data, style, (bytes, how) => {
        expect(Buffer.compare(decode(writeFrame(bytes, how), bytes.length), bytes)).to.equal(0);
      }),
      { seed: 1, numRuns: casesOf(200) },
    );
  });

  it("reads the package's own frames", () => {
    const bytes = Buffer.from('a frame, a frame, a frame, a frame '.repeat(9999));
    for (const blockChecksums of [true, false]) {
      const frame = lz4.compressFrameSync(bytes, { blockChecksums, contentChecksum: true });
      expect(Buffer.compare(decode(frame, bytes.length), bytes)).to.equal(0);
    }
  });

  it('sees every changed byte where there are checksums', () => {
    const bytes = Buffer.from('some bytes, some more bytes, some bytes');
    const frame = writeFrame(bytes, {
      linked: true,
      blockChecksums: true,
      checksum: true,
      contentSize: true,
      block: 20,
    });
    for (let i = 0; i < frame.length; i++) {
      const damaged = Buffer.from(frame);
      damaged[i]! ^= 4;
      expect(() => decode(damaged, bytes.length), `byte ${i}`).to.throw();
    }
  });

  it('refuses a frame that ends early, goes beyond the length, or needs a dictionary', () => {
    const bytes = Buffer.alloc(1000, 'abc');
    const usual = { linked: true, blockChecksums: false, checksum: false, contentSize: false, block: 300 };
    const frame = writeFrame(bytes, usual);
    for (let length = 0; length < frame.length; length++) {
      expect(() => decode(frame.subarray(0, length), 1000)).to.throw();
    }
    expect(() => decode(frame, 999)).to.throw();
    expect(decode(frame, 1001)).to.have.length(1000);
    const dictionary = Buffer.from(frame);
    dictionary[4]! |= 1;
    expect(() => decode(dictionary, 1000)).to.throw('the frame needs a dictionary');
  });
});
