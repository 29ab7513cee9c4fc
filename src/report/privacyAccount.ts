/** What a run has spent, and for whom; or, in plain words, that it protects nobody. */
import type { Model } from '../model/model.ts';
import { countOf, figure, numeral } from './numerals.ts';
import { type Content, factList, html, type Markup, nameMark } from './page.ts';

type Ledger = Model['ledger'];

export function privacyAccount({ ledger }: Pick<Model, 'ledger'>): Markup {
  if (ledger.private) return html`${guarantee(ledger)}${entryTable(ledger.entries)}`;
  const seeded = ledger.note !== undefined;
  return html`<p><strong>${ledger.note ?? 'Not private'}.</strong> ${
    seeded
      ? 'Noise was drawn from a seed: whoever knows it can take the noise off again.'
      : 'No noise was added, so this page may tell of single rows. Share it as you would share the data.'
  }</p>
${seeded ? entryTable(ledger.entries) : ''}`;
}

function guarantee({ epsilon, delta, mu, rho, slack, unit, file }: Ledger): Markup {
  const protectedUnit =
    unit === undefined || unit === 'row' ? 'one row' : html`all rows of one ${nameMark(unit)}`;
  const facts: (readonly [Content, Content])[] = [
    ['Epsilon', number(epsilon)],
    ['Delta', number(delta)],
    ['Mu', number(mu)],
    ['Rho', number(rho)],
    ['Protected unit', protectedUnit],
  ];
  if (slack !== undefined) facts.push(['Slack of whole-number noise', number(slack)]);
  if (file !== undefined) {
    facts.push(['Data set in the ledger', nameMark(file.dataset)]);
    facts.push(['Run', html`<code>${file.run}</code>`]);
    facts.push(['Last line of the ledger', html`<code>${file.head}</code>`]);
  }
  return html`<p>Replacing ${protectedUnit} by any other changes the probability of whatever this page says by a factor of at most e<sup>epsilon</sup>, but for a probability of delta. All numbers here were released under this promise, or are public.</p>
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

/** Releases that cost the same, one after the other, are one line. */
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
      chunk === 'all' ? 'all rows' : first === last ? 'one chunk' : 'a chunk each'
    }</small></th><td class="number">${figure(sensitivity)}</td><td class="number">${figure(sigma)}</td><td class="number">${figure(mu)}</td></tr>\n`,
)}</tbody>
</table>
<p class="note">${noised.length === 1 ? 'One release' : `${countOf(noised.length)} releases`}; a line stands for those that cost the same. Mu is the cost of each: sensitivity over sigma, the noise on a coordinate of a mean, of gradients or of second moments.</p>
`;
}

const isNoised = (entry: unknown): entry is Entry =>
  typeof entry === 'object' && entry !== null && 'kind' in entry && entry.kind === 'gaussian';

const costsTheSame = (a: Entry, b: Entry): boolean =>
  a.sensitivity === b.sensitivity && a.sigma === b.sigma && (a.chunk === 'all') === (b.chunk === 'all');

/** (epsilon, delta) in a few signs. */
export const privacyWords = ({
  ledger: { private: isPrivate, epsilon, delta },
}: Pick<Model, 'ledger'>): string =>
  isPrivate ? `ε\u00a0=\u00a0${numeral(epsilon!)}, δ\u00a0=\u00a0${numeral(delta!)}` : 'not private';
