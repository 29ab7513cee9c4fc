/** A section of a file that is read from beginning to end, with memory for about a page. */
export interface FileWindow {
  /**
   * Bytes [offset, offset + length) of the file, fewer if the section ends before. They are valid until the next call.
   */
  bytes(offset: number, length: number): Uint8Array;
}

/** Fills `into` with the bytes of a file from `position` on, or throws. */
export type ReadAt = (into: Uint8Array, position: number) => void;

/** The smallest amount read at once: large enough that the cost of a call is negligible. */
const least = 2 ** 18;

export function fileWindow(readAt: ReadAt, end: number): FileWindow {
  let memory = new Uint8Array(0);
  let first = 0;
  let held = 0;
  return {
    bytes: (offset, length) => {
      const wanted = Math.min(length, end - offset);
      if (offset < first || offset + wanted > first + held) {
        const size = Math.min(Math.max(wanted, least), end - offset);
        // Bytes already read move to the front.
        const kept = offset < first ? 0 : Math.max(0, first + held - offset);
        const moving = memory.subarray(held - kept, held);
        if (size > memory.length) memory = new Uint8Array(size);
        memory.set(moving);
        // In case reading fails.
        held = 0;
        readAt(memory.subarray(kept, size), offset + kept);
        first = offset;
        held = size;
      }
      return memory.subarray(offset - first, offset - first + wanted);
    },
  };
}
