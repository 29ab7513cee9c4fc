/**
 * Yields the results of `fill`, called for two slots in turn until it returns nothing, one ahead: while the caller
 * works on one, the next is being made in the other slot.
 */
export async function* oneAhead<T>(fill: (slot: number) => Promise<T | undefined>): AsyncGenerator<T> {
  let ahead = fill(0);
  try {
    for (let k = 1; ; k++) {
      const made = await ahead;
      if (made === undefined) return;
      ahead = fill(k % 2);
      // If the caller leaves the loop, this is never awaited; its failure must not be reported as unhandled.
      ahead.catch(() => {});
      yield made;
    }
  } finally {
    await ahead.catch(() => {});
  }
}
