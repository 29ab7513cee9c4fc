/** The bytes of a text in chunks of the given size, as a stream would bring them. */
export async function* chunks(text: string | Uint8Array, size = Infinity): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Two chunks, cut at a place. */
export async function* cutAt(bytes: Uint8Array, place: number): AsyncGenerator<Uint8Array> {
  yield bytes.subarray(0, place);
  yield bytes.subarray(place);
}
