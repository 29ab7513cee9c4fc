import { map } from 'rxjs';
import { ArgumentError, requireMembers } from '../errors.ts';
import type { Plan, Steps } from '../plan/plan.ts';
import { requirePlan } from '../plan/plan.ts';
import type { Mechanism, Release } from '../privacy/mechanism.ts';
import type { BlockSums } from '../sample/gradientSums.ts';
import { type Stage, trusted } from './stage.ts';

/** The perturb stage: noise on every block's sum, before anything else is made of it. */
export function perturb(
  mechanism: Mechanism,
  plan: Pick<Plan<Steps>, 'steps'> & { readonly from?: { readonly step: number } },
): Stage<'sums', 'sums'> {
  requireMembers('mechanism', 'be a mechanism, such as `discreteGaussianMechanism`', mechanism, 'event');
  const { steps, from } = requirePlan(plan);
  const first = from?.step ?? 0;
  return trusted({
    name: 'perturb',
    kind: 'perturb',
    from: 'sums',
    to: 'sums',
    steps,
    first,
    event: ({ index }) => mechanism.event(releaseOf(steps, index)),
    run: map((sums: BlockSums, count: number) => {
      const index = first + count;
      const { blocks, rowsPerBlock } = steps.at(index)!;
      if (!isRaw(sums) || sums.blocks !== blocks || sums.rowsPerBlock !== rowsPerBlock) {
        throw new ArgumentError(
          `step ${index} was planned for ${blocks} raw blocks of ${rowsPerBlock} rows, got ${sums.blocks} ${sums.privacy} of ${sums.rowsPerBlock}; its noise would be wrong`,
          'ERR_NOT_PRIVATE',
          { step: index },
        );
      }
      return mechanism.perturb(sums, releaseOf(steps, index));
    }),
  });
}

const isRaw = (sums: BlockSums): sums is BlockSums<'raw'> => sums.privacy === 'raw';

function releaseOf(steps: Steps, index: number): Release {
  const release = steps.at(index)?.release;
  if (release == null)
    throw new ArgumentError(
      `step ${index} has no noise in this plan; give planFit a privacy option`,
      'ERR_NOT_PRIVATE',
      { step: index },
    );
  return release;
}
