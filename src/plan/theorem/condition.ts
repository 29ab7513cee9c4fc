/** One hypothesis of a theorem, checked against the numbers at hand. */
export interface Condition {
  /** As the paper writes it, such as 'n~ >= 2b'. */
  readonly statement: string;
  readonly met: boolean;
  /** The numbers that decided it. */
  readonly numbers: Readonly<Record<string, number>>;
  /** `required` conditions make a plan meaningless or unsafe when unmet; `claim` ones only void the claimed rate. */
  readonly kind: 'required' | 'claim';
}

export const required = (statement: string, met: boolean, numbers: Record<string, number>): Condition =>
  Object.freeze({ statement, met, numbers: Object.freeze(numbers), kind: 'required' });

export const forClaim = (statement: string, met: boolean, numbers: Record<string, number>): Condition =>
  Object.freeze({ statement, met, numbers: Object.freeze(numbers), kind: 'claim' });
