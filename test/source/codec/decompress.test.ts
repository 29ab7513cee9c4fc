import zlib from 'node:zlib';
import zstd from '@foxglove/wasm-zstd';
import { expect } from 'chai';
import lz4 from 'lz4-napi';
import snappy from 'snappy';
import { DataError } from '../../../src/errors.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { type Codec, decompress } from '../../../src/source/codec/loadCodec.ts';

const compress: Readonly<Record<Codec, (bytes: Buffer) => Uint8Array>> = {
  'lz4-frame': bytes => lz4.compressFrameSync(bytes),
  'lz4-raw': bytes => lz4.compressSync(bytes).subarray(4),
  snappy: bytes => snappy.compressSync(bytes),
  gzip: bytes => zlib.gzipSync(bytes),
  brotli: bytes => zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } }),
  zstd: bytes => zstd.compress(bytes, 1),
};
const codecs = Object.keys(compress) as Codec[];

const sizes = [1, 2, 3, 7, 8, 100, 127, 128, 129, 1000, 4096, 16383, 8192, 16384, 16385, 40000];
const random = seeded(1, 'pages');
/** Pages of doubles: of few values, of prices, and of bits without any order. */
const pages: Buffer[] = sizes.flatMap(size => [
  Buffer.alloc(8 * size),
  Buffer.from(Float64Array.from({ length: size }, () => (random.word() % 5000) / 100).buffer),
  Buffer.from(Uint32Array.from({ length: 2 * size }, () => random.word()).buffer),
]);

async function refusal(codec: Codec, bytes: Uint8Array, length: number): Promise<string> {
  try {
    await decompress(codec, bytes, length, 'a.parquet, column "x"');
  } catch (error) {
    expect(error).to.be.instanceOf(DataError);
    return (error as Error).message;
  }
  throw new Error('nothing was refused');
}

describe('decompress', () => {
  before(() => zstd.isLoaded);

  for (const codec of codecs) {
    it(`decodes ${codec} of any length, to memory that doubles can be read from`, async () => {
      for (const page of pages) {
        const decoded = await decompress(codec, compress[codec](page), page.length, 'page');
        expect(Buffer.compare(decoded, page)).to.equal(0);
        expect(decoded.byteOffset % 8).to.equal(0);
      }
      expect(await decompress(codec, new Uint8Array(0), 0, 'page')).to.have.length(0);
      expect(await decompress(codec, compress[codec](Buffer.alloc(0)), 0, 'page')).to.have.length(0);
    });

    it(`answers at once from the second use of ${codec} on`, async () => {
      const page = pages[4]!;
      await decompress(codec, compress[codec](page), page.length, 'page');
      expect(decompress(codec, compress[codec](page), page.length, 'page')).to.be.instanceOf(Uint8Array);
    });

    it(`refuses ${codec} that decodes to another length, in the name of what it is`, async () => {
      const page = pages[13]!;
      for (const length of [0, 1, page.length - 8, page.length - 1, page.length + 1, 2 * page.length]) {
        if (length === 0) continue;
        expect(await refusal(codec, compress[codec](page), length)).to.match(
          /^a\.parquet, column "x": .*the file is damaged$/,
        );
      }
    });

    it(`refuses ${codec} with absurd lengths before it takes memory for them`, async () => {
      for (const length of [-1, 0.5, Number.NaN, Infinity, 2 ** 31 + 1, 2 ** 52]) {
        expect(await refusal(codec, compress[codec](pages[4]!), length)).to.include(`cannot decode to ${length} bytes`);
      }
      await refusal(codec, Buffer.from([1, 2, 3, 4]), 2 ** 31);
      await refusal(codec, new Uint8Array(0), 8);
    });

    it(`refuses ${codec} that is damaged, or decodes it to the length it should have`, async () => {
      const page = pages[28]!;
      const intact = compress[codec](page);
      for (let i = 0; i < 500; i++) {
        const damaged = Buffer.from(intact);
        for (let k = random.word() % 3; k >= 0; k--) damaged[random.word() % damaged.length] = random.word();
        const bytes = i % 5 === 0 ? damaged.subarray(0, random.word() % damaged.length) : damaged;
        try {
          expect(await decompress(codec, bytes, page.length, 'page')).to.have.length(page.length);
        } catch (error) {
          expect(error).to.be.instanceOf(DataError);
        }
      }
      expect(Buffer.compare(await decompress(codec, intact, page.length, 'page'), page)).to.equal(0);
    });
  }

  it('decodes zlib where gzip is meant', async () => {
    const page = pages[4]!;
    expect(Buffer.compare(await decompress('gzip', zlib.deflateSync(page), page.length, 'page'), page)).to.equal(0);
  });
});
