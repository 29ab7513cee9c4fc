import { refuse } from '../../errors.ts';
import { fileError } from '../table/fileError.ts';
import { allocate, type Damaged, memoryRegion, type Region } from './region.ts';

/** Bytes in order of arrival: from a file, whose bodies are read only when needed, or from a stream. */
export interface ByteCursor {
  /** The next `length` bytes, fewer only at the end. */
  take(length: number): Promise<Uint8Array>;
  /** The next `length` bytes as a region, valid until the next call. */
  region(length: number): Promise<Region>;
}

export function regionCursor(source: Region): ByteCursor {
  let at = 0;
  const pass = (length: number): number => {
    at += length;
    return at - length;
  };
  return {
    take: async length => {
      const available = Math.min(length, source.length - at);
      return source.bytes(pass(available), available);
    },
    region: async length => source.part(pass(length), length),
  };
}

/**
 * Memory is allocated as bytes arrive, never for a length that is only claimed; the memory of a region is reused for
 * the next.
 */
export function streamCursor(chunks: AsyncIterator<Uint8Array>, name: string, damaged: Damaged): ByteCursor {
  let rest: Uint8Array = new Uint8Array(0);
  let memory: Uint8Array = new Uint8Array(0);

  /** Fills part of `into`, and returns how much: 0 at the end of the stream. */
  const receive = async (into: Uint8Array): Promise<number> => {
    while (rest.length === 0) {
      const { done, value } = await chunks.next().catch(error => Promise.reject(fileError(name, error)));
      if (done) return 0;
      rest = value instanceof Uint8Array ? value : refuse('source', 'consist of Uint8Arrays', value);
    }
    const part = rest.subarray(0, into.length);
    into.set(part);
    rest = rest.subarray(part.length);
    return part.length;
  };

  const gather = async (length: number, start: Uint8Array): Promise<{ held: Uint8Array; filled: number }> => {
    let held = start;
    let filled = 0;
    while (filled < length) {
      if (filled === held.length) {
        const larger = allocate(Math.min(length, Math.max(2 * filled, FIRST_PIECE)), damaged);
        larger.set(held);
        held = larger;
      }
      const count = await receive(held.subarray(filled, length));
      if (count === 0) break;
      filled += count;
    }
    return { held, filled };
  };

  return {
    take: async length => {
      const { held, filled } = await gather(length, new Uint8Array(0));
      return held.subarray(0, filled);
    },
    region: async length => {
      const { held, filled } = await gather(length, memory);
      if (filled < length) throw damaged(`was cut short: it has ${filled} bytes of a body of ${length}`);
      memory = held;
      return memoryRegion(memory.subarray(0, length), damaged);
    },
  };
}

const FIRST_PIECE = 2 ** 16;
