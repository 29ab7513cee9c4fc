const prime1 = 0x9e3779b1;
const prime2 = 0x85ebca77;
const prime3 = 0xc2b2ae3d;
const prime4 = 0x27d4eb2f;
const prime5 = 0x165667b1;

/** The checksum of LZ4 frames (xxHash, 32 bits, seed 0), unsigned. */
export function xxHash32(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { length } = bytes;
  let hash = prime5;
  let i = 0;
  if (length >= 16) {
    let a = (prime1 + prime2) | 0;
    let b = prime2;
    let c = 0;
    let d = -prime1 | 0;
    for (; i + 16 <= length; i += 16) {
      a = round(a, view.getUint32(i, true));
      b = round(b, view.getUint32(i + 4, true));
      c = round(c, view.getUint32(i + 8, true));
      d = round(d, view.getUint32(i + 12, true));
    }
    hash = rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18);
  }
  hash = (hash + length) | 0;
  for (; i + 4 <= length; i += 4) {
    hash = Math.imul(rotate(hash + Math.imul(view.getUint32(i, true), prime3), 17), prime4);
  }
  for (; i < length; i++) hash = Math.imul(rotate(hash + Math.imul(bytes[i]!, prime5), 11), prime1);
  hash = Math.imul(hash ^ (hash >>> 15), prime2);
  hash = Math.imul(hash ^ (hash >>> 13), prime3);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const rotate = (word: number, by: number): number => (word << by) | (word >>> (32 - by));

const round = (lane: number, input: number): number =>
  Math.imul(rotate(lane + Math.imul(input, prime2), 13), prime1);
