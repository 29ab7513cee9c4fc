import type { Blend, Model } from '../../model/model.ts';
import { html, type Markup, nameMark } from './markup.ts';
import { numeral } from './numerals.ts';

/** The two fits whose weighted mean the coefficients are. */
export const twoFits = (
  { coefficients, intercept }: Model,
  { weight, withoutWeight, huber, bisquare }: Blend,
): Markup => {
  const rows = Object.keys(huber).map(
    name => html`<tr><th scope="row">${nameMark(name)}</th><td>${numeral(huber[name]!)}</td><td>${numeral(bisquare[name]!)}</td><td>${numeral(coefficients[name] ?? intercept ?? 0)}</td></tr>
`,
  );
  return html`<p>The coefficients are the mean of two fits: Huber’s, in which every row counts and large residuals have bounded influence, with the weight ${numeral(1 - weight)}, and a bisquare fit, which gives rows far from it no weight, with the weight ${numeral(weight)}. ${numeral(100 * withoutWeight)} % of the pilot rows have none in the second.</p>
<table class="conditions">
<thead><tr><th scope="col">Coefficient</th><th scope="col">Huber</th><th scope="col">Bisquare</th><th scope="col">Mean</th></tr></thead>
<tbody>
${rows}</tbody>
</table>
`;
};
