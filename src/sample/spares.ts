/** Things that take long to make, or to be collected: what one pass gives back, the next one takes. */
export interface Spares<T> {
  take(): T;
  give(thing: T): void;
  /** Those that nobody has at the moment. */
  readonly idle: readonly T[];
}

export function spares<T>(make: () => T): Spares<T> {
  const idle: T[] = [];
  return { take: () => idle.pop() ?? make(), give: thing => idle.push(thing), idle };
}
