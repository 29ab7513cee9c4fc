import type { Model } from '../../model/model.ts';
import type { Prescription } from '../../plan/theorem/prescription.ts';
import { html, type Markup } from './markup.ts';
import { numeral } from './numerals.ts';

type Theorem = NonNullable<Model['plan']['theorem']>;

/** What a theorem claims about the run, and whether its conditions hold for these numbers. */
export const theoremTable = ({ label, claim, conditions }: Theorem): Markup => html`<h3>Theorem ${label}</h3>
<p>It prescribed the run, and claims ${claimText(claim)} under these conditions.</p>
<table class="conditions">
<thead><tr><th scope="col">Condition</th><th scope="col">For these numbers</th></tr></thead>
<tbody>
${conditions.map(conditionRow)}</tbody>
</table>
`;

const conditionRow = ({ statement, met, numbers, kind }: Theorem['conditions'][number]): Markup => {
  const verdict = met
    ? html`<span class="met">✓ met</span>`
    : html`<strong class="unmet">✗ not met</strong>${kind === 'claim' ? ', which voids the claimed rate' : ''}`;
  const values = Object.entries(numbers).map(([name, value]) => `${name} = ${numeral(value)}`);
  return html`<tr><th scope="row">${statement}</th><td>${verdict}${values.length > 0 ? html` <small>${values.join(', ')}</small>` : ''}</td></tr>
`;
};

/** What a theorem claims, as a phrase. */
export const claimText = ({ quantity, rate }: Prescription['claim']): string =>
  `${quantity === 'risk' ? 'an excess risk' : 'an error ||theta - theta*||'} of order ${rate}`;
