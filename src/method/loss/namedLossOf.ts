import { refuse } from '../../errors.ts';
import type { Loss } from './loss.ts';
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
    requireTrueName(requireName(given.name), given.loss, given.loss.kernel ?? given);
    return given;
  }
  requireLoss(given);
  const name = nameOf(given);
  requireTrueName(name ?? requireName(given.name), given, given.kernel ?? {});
  if (name === undefined)
    return Object.freeze({ name: given.name, loss: given, predict: meanOf(given) ?? (score => score) });
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
  const parts = Object(given) as Readonly<Record<string, unknown>>;
  const lacking = Object.entries(PARTS).find(([part, isPart]) => !isPart(parts[part]))?.[0];
  if (lacking === undefined) return;
  const remedy = "give a known loss by its name alone, such as 'squared', and one of your own as a whole";
  refuse('loss', `have \`${lacking}\``, given, remedy);
}

const isFunction = (part: unknown): boolean => typeof part === 'function';

/** What no use of a loss can do without. */
const PARTS = {
  value: isFunction,
  slope: isFunction,
  targets: part => typeof Object(part).least === 'number' && typeof Object(part).most === 'number',
  penalty: part => typeof part === 'number' && part >= 0,
} as const satisfies Partial<Record<keyof Loss, (part: unknown) => boolean>>;

const requireName = (name: string): string =>
  typeof name === 'string' && name !== ''
    ? name
    : refuse('loss', 'have a name', name, 'messages and models refer to a loss by its name');

/**
 * A model keeps a known loss by its name and its kernel computes it by its kind, so that one of the caller's own under
 * such a name would later be taken for the known one.
 */
function requireTrueName(name: string, { kernel, slope }: Loss, { parameter }: Partial<NamedLoss> = {}): void {
  if (!isNamed(name) || kernel?.kind === 'weighted-logistic') return;
  const known = lossByName(name, parameter ? { parameter } : {}).loss;
  const isKnown = SCORES.every(score =>
    [0, 1].every(target => {
      const [found, wanted] = [slope(score, target), known.slope(score, target)];
      return Math.abs(found - wanted) <= 1e-9 * Math.abs(wanted);
    }),
  );
  if (isKnown) return;
  const remedy = `the slope is another one than that of ${name}; call it something else, and leave \`kernel\` out`;
  refuse('loss', 'not have the name or the kernel of a known loss', name, remedy);
}

/** Where losses that go by the same name and parameter have the same slope: below every `largestScore` of Poisson. */
const SCORES = [-0.3, -1, -4];

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

const isNamed = (kind: string | undefined): kind is LossName =>
  (LOSS_NAMES as readonly (string | undefined)[]).includes(kind);
