import { refuse } from '../../errors.ts';
import type { Loss, LossKernel } from './loss.ts';
import { LOSS_NAMES, type LossName, lossByName, type NamedLoss } from './lossByName.ts';

/** A loss given by name, with its prediction function, or as the result of a factory. */
export type GivenLoss = LossName | NamedLoss | Loss;

/**
 * The loss with its name and prediction function, however it was given. A loss of the caller's own keeps its name, and
 * its scores are its predictions unless it has a `mean`.
 */
export function namedLossOf(given: GivenLoss): NamedLoss {
  if (typeof given === 'string') return lossByName(given);
  if (typeof given !== 'object' || given === null)
    return refuse('loss', `be "auto", a loss, or one of ${LOSS_NAMES.join(', ')}`, given);
  if ('loss' in given) {
    if (typeof given.predict !== 'function')
      refuse('loss', 'have a predict function', given.name, 'make it with lossByName, or add predict');
    requireLoss(given.loss);
    return given;
  }
  requireLoss(given);
  const name = nameOf(given);
  if (name === undefined) {
    if (typeof given.name !== 'string' || given.name === '')
      refuse('loss', 'have a name', given.name, 'messages and models refer to a loss by its name');
    return Object.freeze({ name: given.name, loss: given, predict: meanOf(given) ?? (score => score) });
  }
  const { predict, parameter } = lossByName(name, given.kernel?.parameter ? given.kernel : {});
  return Object.freeze({
    name,
    loss: given,
    ...(parameter !== undefined && { parameter }),
    predict: meanOf(given) ?? predict,
  });
}

/** A name in a record, such as `{ name: 'squared' }`, is no loss. */
function requireLoss(given: Loss): void {
  const lacking = PARTS.find(part => Object(given)[part] === undefined);
  if (lacking === undefined) return;
  const remedy = "give a known loss by its name alone, such as 'squared', and one of your own as a whole";
  refuse('loss', `have \`${lacking}\``, given, remedy);
}

/** What no use of a loss can do without. */
const PARTS = ['value', 'slope', 'targets', 'penalty'] as const satisfies readonly (keyof Loss)[];

/** What the scores of a generalized linear model predict. */
const meanOf = (loss: Loss): NamedLoss['predict'] | undefined =>
  'mean' in loss ? (loss.mean as NamedLoss['predict']) : undefined;

/** A Poisson loss has no kernel and is recognised by its name, with or without a penalty around it. */
const nameOf = ({ kernel, name }: Loss): LossName | undefined =>
  kernel?.kind === 'weighted-logistic'
    ? 'logistic'
    : isNamed(kernel?.kind)
      ? kernel.kind
      : /^(ridge\()*poisson\(/.test(name)
        ? 'poisson'
        : undefined;

const isNamed = (kind: LossKernel['kind'] | undefined): kind is LossKernel['kind'] & LossName =>
  (LOSS_NAMES as readonly (string | undefined)[]).includes(kind);
