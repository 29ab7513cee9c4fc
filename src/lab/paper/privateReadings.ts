import type { Calibration, Plan } from '../../plan/plan.ts';
import type { Reading } from './figure.ts';

/** A reading of a private run: its delta, its calibration, and which rows a step sees. */
export interface PrivateVariant {
  readonly delta: number;
  readonly calibration: Calibration;
  /** The theorem's, unless given. */
  readonly mode?: 'full' | 'fresh';
}

/**
 * The primary reading of a private figure, and the same runs with sufficient noise (`exact` over full batches,
 * `parallel` over disjoint chunks) and with a delta that protects individuals.
 */
export function privateReadings(
  plans: (rows: number, variant: PrivateVariant) => Readonly<Record<string, Plan>>,
  {
    primary,
    parallel: how = '',
    sizes,
  }: {
    readonly primary: string;
    /** What else differs over disjoint chunks. */
    readonly parallel?: string;
    readonly sizes?: readonly number[];
  },
): Reading[] {
  const small = { delta: 1e-6, ...(sizes === undefined ? {} : { sizes }) };
  const large = { delta: 1 / 3, ...(sizes === undefined ? {} : { sizes }) };
  const reading = (
    name: string,
    about: string,
    { sizes, ...variant }: PrivateVariant & Pick<Reading, 'sizes'>,
  ): Reading => ({
    name,
    about,
    ...(sizes === undefined ? {} : { sizes }),
    plans: rows => plans(rows, variant),
  });
  const exact = { calibration: 'exact', mode: 'full' } as const;
  const parallel = { calibration: 'parallel', mode: 'fresh' } as const;
  return [
    reading('primary', primary, { delta: 1 / 3, calibration: 'paper' }),
    reading('delta=1e-6', 'the paper’s noise with delta = 1e-6', { ...small, calibration: 'paper' }),
    reading('exact', 'full batches, the least noise that suffices, delta = 1/3', { ...large, ...exact }),
    reading('exact delta=1e-6', 'full batches, the least noise that suffices, delta = 1e-6', {
      ...small,
      ...exact,
    }),
    reading('parallel', `disjoint chunks, each row paid for once, delta = 1/3${how}`, {
      ...large,
      ...parallel,
    }),
    reading('parallel delta=1e-6', `disjoint chunks, each row paid for once, delta = 1e-6${how}`, {
      ...small,
      ...parallel,
    }),
  ];
}
