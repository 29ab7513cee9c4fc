/** What an audit found wrong. */
export type Breach =
  | 'error'
  | 'not repeatable'
  | 'no mechanism'
  | 'control flow'
  | 'leak'
  | 'sensitivity'
  | 'disjointness'
  | 'charge'
  | 'noise'
  | 'repeated noise'
  | 'mu';

/** Keeps the first reason of each kind. */
export function breach({ found }: { readonly found: Map<Breach, string> }, kind: Breach, reason: string): void {
  if (!found.has(kind)) found.set(kind, reason);
}
