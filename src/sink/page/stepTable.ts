import type { Model } from '../../model/model.ts';
import { countFigure, countOf, figure } from './numerals.ts';
import { html, type Markup } from './page.ts';

/** The number of steps shown at either end of a long run. */
const SHOWN_AT_AN_END = 6;

type StepLine = Model['steps'][number];

export function stepTable({ steps }: Pick<Model, 'steps'>): Markup {
  const noised = steps.some(({ sigma }) => sigma !== null);
  const left = steps.length - 2 * SHOWN_AT_AN_END;
  const rowOf = ({ step, rows, gradientNorm, sigma }: StepLine): Markup =>
    html`<tr><th scope="row">${countFigure(step)}</th><td class="number">${countFigure(rows)}</td><td class="number">${figure(gradientNorm)}</td>${
      noised ? html`<td class="number">${sigma === null ? '–' : figure(sigma)}</td>` : ''
    }</tr>\n`;
  const body =
    left <= 1
      ? steps.map(rowOf)
      : [
          steps.slice(0, SHOWN_AT_AN_END).map(rowOf),
          html`<tr class="gap"><td colspan="${noised ? '4' : '3'}">${countOf(left)} more in the model file</td></tr>\n`,
          steps.slice(-SHOWN_AT_AN_END).map(rowOf),
        ];
  return html`<table>
<thead><tr><th scope="col">Step</th><th scope="col" class="number">Rows</th><th scope="col" class="number">Gradient norm</th>${
    noised ? html`<th scope="col" class="number">Noise <small>sigma</small></th>` : ''
  }</tr></thead>
<tbody>
${body}</tbody>
</table>
`;
}
