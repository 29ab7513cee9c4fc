import { expect } from 'chai';
import lz4 from 'lz4-napi';
import { DataError } from '../../../src/errors.ts';
import { loadCodec } from '../../../src/source/codec/loadCodec.ts';
import { hadoopLz4 } from '../../../src/source/parquet/openParquet.ts';

const block = (bytes: Buffer): Buffer => lz4.compressSync(bytes).subarray(4);

/** A block behind its lengths. */
function hadoop(bytes: Buffer): Buffer {
  const packed = block(bytes);
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32BE(bytes.length);
  lengths.writeUInt32BE(packed.length, 4);
  return Buffer.concat([lengths, packed]);
}

describe('hadoopLz4', () => {
  const data = Buffer.from('to and fro and to and fro and to and fro');

  it('reads blocks behind their lengths, and a bare block', async () => {
    const decode = hadoopLz4(await loadCodec('lz4-raw'));
    const parts = [data.subarray(0, 11), data.subarray(11, 12), data.subarray(12)];
    for (const bytes of [hadoop(data), Buffer.concat(parts.map(hadoop)), block(data)]) {
      expect(Buffer.from(decode(bytes, data.length, 'page')).equals(data)).to.equal(true);
    }
    expect(decode(new Uint8Array(0), 0, 'page')).to.have.length(0);
  });

  it('refuses lengths that do not add up', async () => {
    const decode = hadoopLz4(await loadCodec('lz4-raw'));
    for (const bytes of [hadoop(data).subarray(1), hadoop(data).subarray(0, -1), hadoop(data.subarray(1))]) {
      expect(() => decode(bytes, data.length, 'page')).to.throw(DataError, 'page: ');
    }
  });
});
