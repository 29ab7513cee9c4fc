/** A stretch of a file that is read from its beginning to its end, with memory for a page or so. */
export interface FileWindow {
  /**
   * Bytes [offset, offset + length) of the file, fewer where the stretch ends before. They are valid until the next
   * call.
   */
  bytes(offset: number, length: number): Uint8Array;
}

/** Fills `into` with the bytes of a file from `position` on, or throws. */
export type ReadAt = (into: Uint8Array, position: number) => void;

/** The least that is read at once: large enough that reading costs no more than its bytes. */
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
        // What is here already moves to the front.
        const kept = offset < first ? 0 : Math.max(0, first + held - offset);
        const moving = memory.subarray(held - kept, held);
        if (size > memory.length) memory = new Uint8Array(size);
        memory.set(moving);
        // Nothing, should reading fail.
        held = 0;
        readAt(memory.subarray(kept, size), offset + kept);
        first = offset;
        held = size;
      }
      return memory.subarray(offset - first, offset - first + wanted);
    },
  };
}
