import { refuse, requireNonNegative } from '../../errors.ts';
import { gemanMcClure } from './gemanMcClure.ts';
import { logistic } from './logistic.ts';
import type { Loss } from './loss.ts';
import { poisson } from './poisson.ts';
import { pseudoHuber } from './pseudoHuber.ts';
import { ridge } from './ridge.ts';
import { squared } from './squared.ts';
import { tukey } from './tukey.ts';

/** The losses that the command line and model files refer to by name, and how their scores turn into predictions. */

export type LossName = 'squared' | 'logistic' | 'poisson' | 'pseudo-huber' | 'geman-mcclure' | 'tukey';

/** A loss, the name that messages and models call it by, and what its scores predict. */
export interface NamedLoss {
  /** A `LossName`, or that of a loss of the caller's own. */
  readonly name: string;
  readonly loss: Loss;
  /** q of pseudo-Huber and Geman-McClure, c of Tukey's. */
  readonly parameter?: number;
  /** The expected target at a score: the score itself, or the GLM's mean. */
  predict(score: number): number;
}

/** The names that `lossByName` knows. */
export const LOSS_NAMES: readonly LossName[] = [
  'squared',
  'logistic',
  'poisson',
  'pseudo-huber',
  'geman-mcclure',
  'tukey',
];

/** `parameter` is the transition point of pseudo-huber, geman-mcclure and tukey; any loss takes a ridge penalty. */
export function lossByName(
  name: string,
  { parameter, penalty = 0 }: { parameter?: number; penalty?: number } = {},
): NamedLoss {
  const made = make(name, parameter);
  return Object.freeze({
    ...made,
    loss: requireNonNegative('penalty', penalty) > 0 ? ridge(made.loss, penalty) : made.loss,
  });
}

const ROBUST = { 'pseudo-huber': pseudoHuber, 'geman-mcclure': gemanMcClure, tukey } as const;

function make(name: string, parameter = 1): NamedLoss {
  const identity = (score: number): number => score;
  switch (name) {
    case 'squared':
      return { name, loss: squared(), predict: identity };
    case 'logistic':
      return { name, loss: logistic(), predict: logistic().mean };
    case 'poisson':
      return { name, loss: poisson(), predict: poisson().mean };
    case 'pseudo-huber':
    case 'geman-mcclure':
    case 'tukey':
      return { name, loss: ROBUST[name](parameter), parameter, predict: identity };
    default:
      return refuse('loss', `be one of ${LOSS_NAMES.join(', ')}`, name);
  }
}

/** Parameters of the robust losses, in residual scales, for 95 % efficiency under normal errors. */
export const HUBER_TUNING = 1.345;
export const TUKEY_TUNING = 4.685;

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
