import type { Model } from '../../model/model.ts';
import { type Content, factList, html, type Markup, nameMark } from './markup.ts';
import { countOf, figure, numeral } from './numerals.ts';

type Ledger = Model['ledger'];

/** What a run has spent, and which unit it protects; or a clear statement that it protects nobody. */
export function privacyAccount({ ledger }: Pick<Model, 'ledger'>): Markup {
  if (ledger.private) return html`${guarantee(ledger)}${entryTable(ledger.entries)}`;
  const seeded = ledger.note !== undefined;
  return html`<p><strong>${ledger.note ?? 'Not private'}.</strong> ${
    seeded
      ? 'Noise was drawn from a seed: anyone who knows it can remove the noise.'
      : 'No noise was added, so this page may reveal single rows. Share it as you would share the data.'
  }</p>
${seeded ? entryTable(ledger.entries) : ''}`;
}

function guarantee({ epsilon, delta, mu, rho, slack, unit, file }: Ledger): Markup {
  const protectedUnit = unit === undefined || unit === 'row' ? 'one row' : html`all rows of one ${nameMark(unit)}`;
  const facts: (readonly [Content, Content])[] = [
    ['Epsilon', number(epsilon)],
    ['Delta', number(delta)],
    ['Mu', number(mu)],
    ['Rho', number(rho)],
    ['Protected unit', protectedUnit],
  ];
  if (slack !== undefined) facts.push(['Slack of integer noise', number(slack)]);
  if (file !== undefined) {
    facts.push(['Data set in the ledger', nameMark(file.dataset)]);
    facts.push(['Run', html`<code>${file.run}</code>`]);
    facts.push(['Last line of the ledger', html`<code>${file.head}</code>`]);
  }
  return html`<p>Replacing ${protectedUnit} by any other changes the probability of any content of this page by a factor of at most e<sup>epsilon</sup>, up to an additional probability of delta. All numbers here were released under this guarantee, or are public.</p>
${factList(facts)}`;
}

const number = (value: number | null | undefined): Content =>
  value === null || value === undefined ? '–' : figure(value);

interface Entry {
  readonly chunk: unknown;
  readonly sensitivity: number;
  readonly sigma: number;
  readonly mu: number;
}

/** Consecutive releases of equal cost share a line. */
function entryTable(entries: readonly unknown[]): Markup | '' {
  const noised = entries.filter(isNoised);
  if (noised.length === 0) return '';
  const groups: { first: number; last: number; entry: Entry }[] = [];
  noised.forEach((entry, k) => {
    const before = groups.at(-1);
    if (before !== undefined && costsTheSame(before.entry, entry)) before.last = k + 1;
    else groups.push({ first: k + 1, last: k + 1, entry });
  });
  return html`<table class="releases">
<thead><tr><th scope="col">Release</th><th scope="col" class="number">Sensitivity</th><th scope="col" class="number">Sigma</th><th scope="col" class="number">Mu</th></tr></thead>
<tbody>
${groups.map(
  ({ first, last, entry: { chunk, sensitivity, sigma, mu } }) =>
    html`<tr><th scope="row">${first === last ? countOf(first) : `${countOf(first)} to ${countOf(last)}`} <small>${
      chunk === 'all'
        ? 'all rows'
        : chunk === 'each'
          ? 'every chunk of a stream'
          : first === last
            ? 'one chunk'
            : 'a chunk each'
    }</small></th><td class="number">${figure(sensitivity)}</td><td class="number">${figure(sigma)}</td><td class="number">${figure(mu)}</td></tr>\n`,
)}</tbody>
</table>
<p class="note">${noised.length === 1 ? 'One release' : `${countOf(noised.length)} releases`}; consecutive releases of equal cost share a line. Mu is the cost of each: sensitivity over sigma, the noise on each coordinate of a mean of gradients or of second moments.</p>
`;
}

const isNoised = (entry: unknown): entry is Entry =>
  typeof entry === 'object' && entry !== null && 'kind' in entry && entry.kind === 'gaussian';

const costsTheSame = (a: Entry, b: Entry): boolean =>
  a.sensitivity === b.sensitivity && a.sigma === b.sigma && (a.chunk === 'all') === (b.chunk === 'all');

/** (epsilon, delta) in a few characters. */
export const privacyWords = ({ ledger: { private: isPrivate, epsilon, delta } }: Pick<Model, 'ledger'>): string =>
  isPrivate ? `ε\u00a0=\u00a0${numeral(epsilon!)}, δ\u00a0=\u00a0${numeral(delta!)}` : 'not private';
