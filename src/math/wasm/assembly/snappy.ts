/**
 * Snappy blocks in AssemblyScript. A block is the decoded length as a varint, then literals and copies of earlier
 * output.
 *
 * The kind of an element is unpredictable, so the two common kinds of copies share one code path: a table gives, by
 * tag, the length (bits 0 to 7), the high part of the distance (bits 8 to 10) and the number of bytes in the rest of it
 * (from bit 11 on). Sixteen bytes are moved at a time if both sides have room for the excess; near the ends, and if a
 * copy overlaps itself within 16 bytes, they are moved one by one. Every length and distance is checked before it is
 * used.
 */

/** The number of bytes that a wide copy may touch beyond its own. */
const WIDE: usize = 16;
/** The longest copy, and the longest literal whose length is in its tag. */
const LONGEST: usize = 64;

const copies = memory.data(512);
for (let tag: usize = 0; tag < 256; tag++) {
  const short = (tag & 3) === 1;
  const length = short ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1;
  const high = short ? tag >> 5 : 0;
  const bytes: usize = short ? 1 : (tag & 3) === 2 ? 2 : 4;
  store<u16>(copies + 2 * tag, <u16>(length | (high << 8) | (bytes << 11)));
}

/**
 * Decodes [from, from + size) to exactly `length` bytes at `to`; false if the block is invalid or has another length.
 */
export function decode(from: usize, size: usize, to: usize, length: usize): bool {
  const end = from + size;
  const first = to;
  const last = to + length;
  let at = from;
  while (at < end && load<u8>(at) >= 128) at++;
  at++;
  while (at < end) {
    const tag: usize = load<u8>(at);
    at++;
    if ((tag & 3) === 0) {
      let count: usize = (tag >> 2) + 1;
      if (count <= WIDE && end - at >= WIDE && last - to >= WIDE) {
        v128.store(to, v128.load(at));
        at += count;
        to += count;
        continue;
      }
      if (count > 60) {
        const bytes = count - 60;
        if (end - at < bytes) return false;
        count = 0;
        for (let k: usize = 0; k < bytes; k++) count |= (<usize>load<u8>(at + k)) << (8 * k);
        count++;
        at += bytes;
        if (count === 0) return false;
      }
      if (count > end - at || count > last - to) return false;
      memory.copy(to, at, count);
      at += count;
      to += count;
      continue;
    }
    const entry: usize = load<u16>(copies + 2 * tag);
    const bytes = entry >> 11;
    if (end - at < bytes) return false;
    // Up to three bytes past the block are loaded and masked out; the memory extends beyond the block.
    const distance = (entry & 0x700) | (<usize>load<u32>(at) & (<usize>-1 >> (32 - 8 * bytes)));
    const count = entry & 0xff;
    at += bytes;
    if (distance - 1 >= to - first) return false;
    if (distance >= WIDE && last - to >= LONGEST + WIDE) {
      v128.store(to, v128.load(to - distance));
      for (let done: usize = WIDE; done < count; done += WIDE) {
        v128.store(to + done, v128.load(to + done - distance));
      }
      to += count;
      continue;
    }
    if (count > last - to) return false;
    for (const stop = to + count; to < stop; to++) store<u8>(to, load<u8>(to - distance));
  }
  return at === end && to === last;
}
