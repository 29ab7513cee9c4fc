/** `sluice theorems`: what the paper prescribes, on which data, by which algorithm and under which conditions. */
import { catalogue, type Theorem } from '../../plan/theorem/index.ts';
import { argumentLines, theoremNamedBy } from '../flags/theoremFlags.ts';
import { table } from '../render/text.ts';

export function theoremsCommand(name: string | undefined, { json }: { readonly json?: boolean }): void {
  const shown = name === undefined ? catalogue() : [theoremNamedBy(name)];
  process.stdout.write(json ? `${JSON.stringify(shown.map(record))}\n` : shown.map(name ? whole : brief).join('\n'));
}

const record = ({ label, otherLabels, name, isPrivate, about, needs, optional }: Theorem) => ({
  ...{ label, otherLabels, function: `theorems.${name}`, private: isPrivate, ...about, needs, optional },
});

const titleOf = ({ label, otherLabels }: Theorem): string => [label, ...otherLabels].join(', ');

const brief = (theorem: Theorem): string => {
  const { data, algorithm, steps, claim, conditions } = theorem.about;
  return `${titleOf(theorem)}\n${table([
    ['data', data],
    ['algorithm', algorithm],
    ['T', steps],
    ['claim', claim],
    ['conditions', conditions.join('; ')],
  ])}`;
};

const whole = (theorem: Theorem): string =>
  `${brief(theorem)}${theorem.isPrivate ? 'private: fit draws its noise\n' : ''}it takes\n${argumentLines(theorem)}\n`;
