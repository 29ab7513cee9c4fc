import { firstBytes } from './firstBytes.ts';

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/** The length of a UTF-8 byte order mark at the beginning: 3 or 0. */
export async function bomLength(chunks: AsyncIterable<Uint8Array>): Promise<number> {
  const first = await firstBytes(chunks, BOM.length);
  return first.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0;
}
