/** The values that a column refers to by number: numbers or texts, as its type says. */
export interface Dictionary {
  readonly numbers: Float64Array;
  /** In UTF-8. */
  readonly texts: readonly Uint8Array[];
  /** 1 where an entry is null. As long as there are entries. */
  readonly missing: Uint8Array;
}

export const emptyDictionary: Dictionary = Object.freeze({
  numbers: new Float64Array(0),
  texts: [],
  missing: new Uint8Array(0),
});
