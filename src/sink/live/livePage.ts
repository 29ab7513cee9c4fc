import { version } from '../../version.ts';
import { type Content, html, type Markup, nameMark, section } from '../page/markup.ts';
import type { LiveFacts } from './liveState.ts';

export { clientScript } from './clientScript.ts';
export { liveStyle } from './liveStyle.ts';

/** The page of a run before anything is known: the client script fills it in, and changes only texts and lengths. */
export const livePage = (facts: LiveFacts): string =>
  document(
    `${facts.target}, live`,
    html`<header>
<p class="kind">Live regression</p>
<h1>${nameMark(facts.target)}, estimated as rows arrive</h1>
<p class="lede" id="meaning">From ${nameMark(facts.source)}.</p>
<div class="controls"><p class="state" id="state" data-state="connecting"><span class="lamp" aria-hidden="true"></span><span id="state-words">Connecting</span></p><button type="button" id="pause" aria-pressed="false">Pause</button></div>
<p class="unseen" id="announcer" role="status" aria-live="polite"></p>
<div class="overview"><dl>
${tiles(facts).map(
  ([id, term, hint]) =>
    html`<div><dt>${term}</dt><dd><data id="${id}">–</data> <small id="${id}-hint">${hint}</small></dd></div>\n`,
)}</dl></div>
<div class="meter"><p id="meter-label">Rows of the pilot: none yet</p><svg id="meter" role="progressbar" aria-labelledby="meter-label" aria-valuemin="0" aria-valuemax="100" aria-valuenow="0" width="100%" height="8"><rect class="track" width="100%" height="8" rx="4"/><rect class="done" id="meter-done" width="0%" height="8" rx="4"/></svg></div>
</header>
<div class="warning" id="problems" role="note" hidden></div>
<div class="warning" id="alarm" role="note" hidden></div>
<div class="warning" id="severe" role="note" hidden></div>
${section({ id: 'coefficients', title: 'Coefficients', body: coefficients() })}${section({
  id: 'history',
  title: 'History',
  body: html`<p class="picker" id="picker" hidden><label for="group">Coefficients</label> <select id="group"></select></p>
<div class="trends" id="trends"></div>
<p class="note" id="history-note">By chunk. The inner band is the interval for those who look once, the outer one that for those who keep watching; early intervals may reach beyond the picture.</p>`,
})}${
  facts.isPrivate
    ? section({ id: 'privacy', title: 'Privacy', body: privacy() })
    : section({
        id: 'error',
        title: 'Error on rows before they were learnt from',
        body: html`<div id="errors"></div>
<p class="note">The mean loss of every row, scored by the estimate that had not seen it yet: of each chunk (thin), and of all rows so far.</p>`,
      })
}${section({
  id: 'alarms',
  title: 'Alarms',
  body: html`<p id="no-alarms">None since this page is served.</p>
<table id="alarm-table" hidden><thead><tr><th scope="col">Chunk</th><th scope="col">Coefficient that changed most clearly</th><th scope="col" class="number">Time</th></tr></thead><tbody></tbody></table>`,
})}<section aria-labelledby="notes" id="notes-section" hidden><h2 id="notes">About the data</h2><ul id="note-list"></ul></section>
<footer><p><span id="as-of">No estimate yet.</span> Made by sluice ${version}. Numbers are rounded to be read; the elements of the page have them in full.</p></footer>
<noscript><p>This page needs its own script, which asks nobody but this server.</p></noscript>`,
  );

/** What is asked of those who have not given the token. It says nothing about the run. */
export const loginPage = (): string =>
  document(
    'sluice: token needed',
    html`<header><p class="kind">Live regression</p><h1>This page needs its token</h1>
<p class="lede">It is what SLUICE_LISTEN_TOKEN was when the run began. It stays in this browser as a cookie that scripts cannot read.</p></header>
<form id="login"><label for="token">Token</label> <input id="token" type="password" autocomplete="current-password" required> <button type="submit">Show the page</button></form>
<p class="unmet" id="login-problem" role="alert"></p>`,
  );

const document = (title: string, body: Content): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${title}</title>
<link rel="stylesheet" href="/live.css">
<script type="module" src="/live.js"></script>
</head>
<body>
<main class="live" data-empty="true">
${body}
</main>
</body>
</html>
`.markup;

const tiles = ({ isPrivate }: LiveFacts): readonly (readonly [id: string, term: string, hint: string])[] => [
  ['rows', isPrivate ? 'Rows read' : 'Rows', ''],
  ['chunk', 'Chunk', ''],
  ['speed', 'Rows per second', ''],
  ['lag', 'Waiting in the source', ''],
  ...(isPrivate
    ? ([
        ['epsilon', 'Epsilon', 'for ever'],
        ['delta', 'Delta', ''],
      ] as const)
    : ([
        ['progressive', 'Progressive error', 'no rows yet'],
        ['dead-letters', 'Dead letters', ''],
      ] as const)),
  ['alarm-count', 'Latest alarm', ''],
  ['age', 'Latest estimate', ''],
];

// The roles repeat what the elements say, because on a phone a row is displayed as a grid, as in a report.
const coefficients =
  () => html`<p id="no-coefficients">There are none yet: the first estimate comes after the pilot.</p>
<div id="known" hidden><table class="coefficients known" role="table">
<thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">Feature</th><th scope="col" role="columnheader" class="picture"><span>below 0</span> <span>above 0</span></th><th scope="col" role="columnheader" class="number">Estimate <small><span class="level">95 %</span> interval now</small></th><th scope="col" role="columnheader" class="number any">At any time <small><span class="level">95 %</span> interval</small></th><th scope="col" role="columnheader" class="number wide">Standard error</th></tr></thead>
<tbody role="rowgroup" id="rows-of-coefficients"></tbody>
</table>
<p class="legend">${(
    [
      ['dot', 'estimate'],
      ['interval', 'interval now, for those who look once'],
      ['joint', 'interval at any time, for those who keep watching'],
      ['hollow', 'not clearly different from zero, whenever one looks'],
    ] as const
  ).map(([kind, words]) => html`<span>${legendMark(kind)} ${words}</span> `)}</p>
<p class="note">Every row has its own scale around zero, because the units differ.</p></div>`;

function legendMark(kind: string): Markup {
  const mark =
    kind === 'dot' || kind === 'hollow'
      ? html`<circle cx="12" cy="6" r="4.5"/>`
      : html`<line class="${kind}" x1="1" x2="23" y1="6" y2="6"/>`;
  return html`<svg class="${kind === 'hollow' ? 'unclear' : 'clear'}" width="24" height="12" aria-hidden="true">${mark}</svg>`;
}

const privacy = () => html`<p id="guarantee">What the stream costs is shown with the first release.</p>
<dl>${(
  [
    ['mu', 'Mu'],
    ['rho', 'Rho'],
    ['unit', 'Protected unit'],
  ] as const
).map(([id, term]) => html`<div><dt>${term}</dt><dd><data id="ledger-${id}">–</data></dd></div>\n`)}</dl>
<p class="note">Every row is used once, so the cost stays as it is however long the stream runs. It protects what a row holds, not that it exists. Progressive error, dead letters and counts of usable rows would be raw facts about rows: this page has none of them.</p>`;
