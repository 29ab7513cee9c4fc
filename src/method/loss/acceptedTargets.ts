import type { NamedLoss } from './lossByName.ts';

/** The targets that a loss accepts, and the requirement in words for error messages. */
export interface AcceptedTargets {
  readonly accepts: (target: number) => boolean;
  readonly needs: string;
}

/** Null if the loss accepts any number. */
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
