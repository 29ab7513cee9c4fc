import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs `work` with a file of these bytes, which is gone afterwards. */
export async function withFile<T>(bytes: Uint8Array, work: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-arrow-'));
  try {
    const path = join(folder, 'table.arrow');
    await writeFile(path, bytes);
    return await work(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Bytes in pieces of `size`, as a stream would bring them; says whether it was released. */
export function chunked(bytes: Uint8Array, size: number): AsyncIterable<Uint8Array> & { released: boolean } {
  const stream = {
    released: false,
    async *[Symbol.asyncIterator]() {
      try {
        for (let from = 0; from < bytes.length; from += size) yield Uint8Array.from(bytes.subarray(from, from + size));
      } finally {
        stream.released = true;
      }
    },
  };
  return stream;
}
