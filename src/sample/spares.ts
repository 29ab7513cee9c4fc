/** A pool of objects that are slow to create or to collect: one pass returns them and the next one takes them. */
export interface Spares<T> {
  take(): T;
  give(thing: T): void;
  /** The objects not in use at the moment. */
  readonly idle: readonly T[];
}

export function spares<T>(make: () => T): Spares<T> {
  const idle: T[] = [];
  return { take: () => idle.pop() ?? make(), give: thing => idle.push(thing), idle };
}
