import type { Calibration, Plan } from '../../../plan/plan.ts';
import type { Reading } from '../figure.ts';

/** A reading of a private run: its delta, its calibration, and which rows a step sees. */
export interface PrivateVariant {
  readonly delta: number;
  readonly calibration: Calibration;
  /** The theorem's, unless given. */
  readonly mode?: 'full' | 'fresh';
}

/** The paper's noise, at the paper's delta. */
export const PAPER = { delta: 1 / 3, calibration: 'paper' } as const;

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
  const reading = (name: string, about: string, variant: PrivateVariant): Reading => ({
    name,
    about,
    plans: rows => plans(rows, variant),
  });
  const exact = { calibration: 'exact', mode: 'full' } as const;
  const parallel = { calibration: 'parallel', mode: 'fresh' } as const;
  const disjoint = 'disjoint chunks, each row paid for once';
  const others = [
    reading('delta=1e-6', 'the paper’s noise with delta = 1e-6', { delta: 1e-6, calibration: 'paper' }),
    reading('exact', 'full batches, the least noise that suffices, delta = 1/3', { delta: 1 / 3, ...exact }),
    reading('exact delta=1e-6', 'full batches, the least noise that suffices, delta = 1e-6', { delta: 1e-6, ...exact }),
    reading('parallel', `${disjoint}, delta = 1/3${how}`, { delta: 1 / 3, ...parallel }),
    reading('parallel delta=1e-6', `${disjoint}, delta = 1e-6${how}`, { delta: 1e-6, ...parallel }),
  ];
  return [reading('primary', primary, PAPER), ...others.map(other => ({ ...other, ...(sizes && { sizes }) }))];
}

/** The plans of both methods at every epsilon, as series such as 'FW eps=0.5'. */
export const atEach = (
  epsilons: readonly number[],
  plans: (epsilon: number) => Readonly<Record<string, Plan>>,
): Readonly<Record<string, Plan>> =>
  Object.fromEntries(
    epsilons.flatMap(epsilon =>
      Object.entries(plans(epsilon)).map(([method, plan]) => [`${method} eps=${epsilon}`, plan]),
    ),
  );
