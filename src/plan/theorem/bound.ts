/** What a theorem claims, as a number. */
export interface Bound {
  /** As the paper states it, with its logarithms. */
  readonly formula: string;
  readonly value: number;
  /**
   * Numbers that the paper leaves open, or that only the data know, by their symbols there: those that enter the value,
   * whether they were given or assumed.
   */
  readonly open: Readonly<Record<string, number>>;
  /** How often the bound fails, as a multiple of zeta; null where it bounds an expectation. */
  readonly failure: { readonly zeta: number; readonly times: number } | null;
  /** Where the printed formula is wrong: what was corrected. */
  readonly correction: string | null;
}

/** A bound is defined up to a constant, C in `open`; everything that the caller leaves out is absent. */
export function bound({
  claimConstant = 1,
  value,
  open = {},
  failure = null,
  correction = null,
  formula,
}: Pick<Bound, 'formula' | 'value'> & Partial<Bound> & { readonly claimConstant?: number }): Bound {
  return Object.freeze({
    formula: `C (${formula})`,
    value: claimConstant * value,
    open: Object.freeze({ C: claimConstant, ...open }),
    failure: failure === null ? null : Object.freeze(failure),
    correction,
  });
}

/** The constant that <~ hides in a claim: 1 unless given. */
export interface UpToConstant {
  readonly claimConstant?: number;
}

/** sigma_2, the standard deviation of the noise of a linear model: 1 unless given. */
export interface NoisyTarget extends UpToConstant {
  readonly noise?: number;
}

/** Natural logarithm, at least 0: a bound with the log of a number below 1 would shrink where it cannot. */
export const log = (value: number): number => Math.max(0, Math.log(value));
