import type { Model } from '../../model/model.ts';
import { coefficientTable } from './coefficientTable.ts';
import { convergenceChart, convergenceWords } from './convergenceChart.ts';
import { headline, meaningOf } from './headline.ts';
import { type Content, factList, html, type Markup, section, sentences } from './markup.ts';
import { countFigure, countOf, figure } from './numerals.ts';
import { lossName, lossParameters, planFacts, rowAccount, spelled } from './planFacts.ts';
import { privacyAccount, privacyWords } from './privacyAccount.ts';
import { style } from './style.ts';
import { theoremTable } from './theoremTable.ts';
import { twoFits } from './twoFits.ts';

/**
 * A fitted model as one page for people: no request leaves it, for everything is inside. It is a function of the model
 * and of where its rows are, so that the page of a private run holds released values and public facts only, as its
 * model does.
 */
export function reportPage(model: Model): string {
  const { rows, steps, plan, holdout, choices = [], createdWith } = model;
  const title = headline(model);
  const mild = mildNotes(model);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="${createdWith}">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<header>
<p class="kind">Regression report</p>
<h1>${title}</h1>
<p class="lede">${meaningOf(model)}</p>
${overview([
  ['Rows', rowWords(rows)],
  ['Steps', html`${countFigure(steps.length)} <small>${String(plan.rule ?? '')}</small>`],
  ['Loss', html`${lossName(model.loss)} <small>${lossParameters(model.loss)}</small>`],
  ['Privacy', privacyWords(model)],
])}</header>
${severeNotes(model)}${section({ id: 'coefficients', title: 'Coefficients', body: coefficientTable(model) })}${
  mild.length > 0 ? section({ id: 'notes', title: 'About the data', body: sentences(mild) }) : ''
}${
  model.blend === undefined ? '' : section({ id: 'fits', title: 'Two fits', body: twoFits(model, model.blend) })
}${holdout === undefined ? '' : section({ id: 'holdout', title: 'On rows that no step saw', body: holdoutFacts(holdout) })}${section(
  {
    id: 'convergence',
    title: 'Convergence',
    body: [html`<p>${convergenceWords(model)}</p>\n`, convergenceChart(model), stepTable(model)],
  },
)}${section({
  id: 'plan',
  title: 'Plan',
  body: [
    choices.length > 0 ? sentences(choices) : '',
    planFacts(model),
    plan.theorem === undefined ? '' : theoremTable(plan.theorem),
  ],
})}${section({ id: 'privacy', title: 'Privacy', body: privacyAccount(model) })}${section({
  id: 'rows',
  title: 'Rows',
  body: rowAccount(model),
})}<footer><p>Made by ${createdWith}. This file is complete and asks nothing of the network. Numbers are rounded to be read; the source of the page has them in full.</p></footer>
</main>
</body>
</html>
`;
  return page.markup;
}

/**
 * Rows that cannot be used keep their places in steps and count for nothing there: they are not what a result rests on.
 */
const rowWords = ({ used, read, invalid }: Model['rows']): Markup =>
  html`${countFigure(used)} <small>of\u00a0${countOf(read)}${invalid ? `, ${countOf(invalid)}\u00a0invalid` : ''}</small>`;

const overview = (facts: readonly (readonly [Content, Content])[]): Markup =>
  html`<div class="overview">${factList(facts)}</div>\n`;

/** The number of steps shown at either end of a long run. */
const SHOWN_AT_AN_END = 6;

type StepLine = Model['steps'][number];

function stepTable({ steps }: Pick<Model, 'steps'>): Markup {
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

/**
 * Notes by which an estimate or its intervals cannot be relied on: they stand above the coefficients, for readers who
 * read no further.
 */

type Noted = Pick<Model, 'notes' | 'severeNotes'>;

/** Nothing where no note is severe. */
export function severeNotes({ notes = [], severeNotes: places = [] }: Noted): Markup | '' {
  return places.length === 0
    ? ''
    : html`<div class="warning" role="note">
<p><strong>Do not take these numbers as they stand.</strong></p>
${places.map(place => html`<p>${sentence(notes[place]!)}</p>\n`)}</div>
`;
}

/** All others. */
export const mildNotes = ({ notes = [], severeNotes: places = [] }: Noted): readonly string[] =>
  notes.filter((_, place) => !places.includes(place));

const sentence = (note: string): string => `${note.charAt(0).toUpperCase()}${note.slice(1)}.`;

const TERMS: Readonly<Record<string, string>> = { auc: 'AUC', r2: 'R²', brier: 'Brier score' };

const holdoutFacts = (holdout: NonNullable<Model['holdout']>): Markup =>
  factList(
    Object.entries(holdout).map(([key, value]) => [
      TERMS[key] ?? spelled(key),
      key === 'rows' ? countFigure(value) : figure(value),
    ]),
  );
