import { refuse } from '../../errors.ts';
import type { Loss, LossKernel } from './loss.ts';
import { LOSS_NAMES, type LossName, lossByName, type NamedLoss } from './lossByName.ts';

/** A loss given by name, with its prediction function, or as the result of a factory. */
export type GivenLoss = LossName | NamedLoss | Loss;

/** The loss with its name and prediction function, however it was given. */
export function namedLossOf(given: GivenLoss): NamedLoss {
  if (typeof given === 'string') return lossByName(given);
  if (typeof given !== 'object' || given === null)
    return refuse('loss', `be "auto", a loss, or one of ${LOSS_NAMES.join(', ')}`, given);
  if ('loss' in given) {
    if (typeof given.predict !== 'function')
      refuse('loss', 'have a predict function', given.name, 'make it with lossByName, or add predict');
    return given;
  }
  const name = nameOf(given);
  if (name === undefined) {
    return refuse(
      'loss',
      'be one whose predictions are known',
      given.name,
      "say what its scores predict: { ...lossByName('squared'), loss } if that is the score itself, with predict: loss.mean added for a generalized linear model",
    );
  }
  const { predict, parameter } = lossByName(name, given.kernel?.parameter ? given.kernel : {});
  return Object.freeze({
    name,
    loss: given,
    ...(parameter !== undefined && { parameter }),
    predict: 'mean' in given ? (given.mean as NamedLoss['predict']) : predict,
  });
}

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
