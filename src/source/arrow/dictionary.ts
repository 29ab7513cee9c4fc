/** The values that a column refers to by index: numbers or texts, depending on its type. */
export interface Dictionary {
  readonly numbers: Float64Array;
  /** In UTF-8. */
  readonly texts: readonly Uint8Array[];
  /** 1 if an entry is null; one per entry. */
  readonly missing: Uint8Array;
}

export const emptyDictionary: Dictionary = Object.freeze({
  numbers: new Float64Array(0),
  texts: [],
  missing: new Uint8Array(0),
});
