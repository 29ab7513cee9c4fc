/**
 * What `fill` makes in two slots by turns until it makes nothing, one ahead: while the caller works on one, the next is
 * being made in the other slot.
 */
export async function* oneAhead<T>(fill: (slot: number) => Promise<T | undefined>): AsyncGenerator<T> {
  let ahead = fill(0);
  try {
    for (let k = 1; ; k++) {
      const made = await ahead;
      if (made === undefined) return;
      ahead = fill(k % 2);
      // Whoever leaves the loop never awaits it; its failure must not count as unhandled.
      ahead.catch(() => {});
      yield made;
    }
  } finally {
    await ahead.catch(() => {});
  }
}
