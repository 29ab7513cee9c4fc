import type { NamedLoss } from './lossByName.ts';

/** Which targets a loss accepts, and the words for whoever has others. */
export interface AcceptedTargets {
  readonly accepts: (target: number) => boolean;
  readonly needs: string;
}

/** Null where any number is a target. */
export function acceptedTargets({ name, loss }: NamedLoss): AcceptedTargets | null {
  const { least, most } = loss.targets;
  if (least === -Infinity && most === Infinity) return null;
  const range =
    most === Infinity
      ? `of at least ${least}`
      : least === -Infinity
        ? `of at most ${most}`
        : `from ${least} to ${most}`;
  return { accepts: target => target >= least && target <= most, needs: `${name} needs targets ${range}` };
}
