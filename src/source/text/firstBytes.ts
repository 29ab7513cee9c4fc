/** The first `least` bytes and the rest of the last chunk; fewer only if there are no more. */
export async function firstBytes(chunks: AsyncIterable<Uint8Array>, least: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    parts.push(Buffer.from(chunk));
    length += chunk.length;
    if (length >= least) break;
  }
  return Buffer.concat(parts);
}
