/** Waits for all, then throws the first failure: nothing may still be running when the caller learns of it. */
export async function settled<T>(promises: readonly Promise<T>[]): Promise<readonly T[]> {
  const results = await Promise.allSettled(promises);
  return results.map(result => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}
