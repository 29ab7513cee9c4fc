import { ArgumentError, LOSS_NAMES, type LossName, lossByName, type NamedLoss } from '../../index.ts';
import { positive, withParameter } from './parse.ts';

/** The losses that take a parameter, and its symbol. */
const PARAMETERS: ReadonlyMap<string, string> = new Map([
  ['pseudo-huber', 'q'],
  ['geman-mcclure', 'q'],
  ['tukey', 'c'],
]);

export interface LossFlag {
  readonly name: LossName;
  readonly parameter?: number;
}

/** 'pseudo-huber:0.5'; callers decide what `auto` means. */
export function lossFlag(text: string): LossFlag {
  const { name, parameter } = withParameter(text);
  if (!isLoss(name)) {
    throw new ArgumentError(
      `--loss must be one of auto, ${LOSS_NAMES.join(', ')}, got ${JSON.stringify(text)}`,
    );
  }
  if (parameter === undefined) return { name };
  const symbol = PARAMETERS.get(name);
  if (symbol === undefined)
    throw new ArgumentError(`--loss ${name} takes no parameter, got ${JSON.stringify(text)}`);
  return { name, parameter: positive(`--loss ${name}:${symbol}`, parameter) };
}

export function namedLoss(text: string): NamedLoss {
  const { name, ...parameter } = lossFlag(text);
  return lossByName(name, parameter);
}

const isLoss = (name: string): name is LossName => (LOSS_NAMES as readonly string[]).includes(name);
