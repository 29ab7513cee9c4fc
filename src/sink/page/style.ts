import type { Markup } from './markup.ts';

/**
 * The look of a report: on a phone, on a desktop, in dark mode and on paper. Fonts are the system's. Blue and vermilion
 * (Okabe and Ito's) remain distinguishable for colour-blind readers, and every colour's meaning is also given by a word
 * or a shape.
 */
export const style: Markup = {
  markup: `
:root {
  --paper: #fff; --ink: #1b1f24; --muted: #57606a; --rule: #d8dee4; --soft: #f5f7f9;
  --blue: #0063a0; --vermilion: #b34700; --bar: #4d96c6;
  color-scheme: light;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #14171b; --ink: #e8ebee; --muted: #a3adb8; --rule: #343b43; --soft: #1d2228;
    --blue: #6bbcf2; --vermilion: #f0a060; --bar: #2f6d98;
    color-scheme: dark;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", sans-serif;
  font-variant-numeric: tabular-nums; overflow-wrap: break-word;
}
main { max-width: 46rem; margin: 0 auto; padding: 2.5rem 1rem 3rem; }
.kind { margin: 0 0 .4rem; color: var(--muted); font-size: .8125rem; letter-spacing: .08em; text-transform: uppercase; }
h1 { margin: 0; font-size: clamp(1.5rem, 1.1rem + 2.2vw, 2.25rem); line-height: 1.2; letter-spacing: -.01em; text-wrap: balance; }
h2 { margin: 0 0 .75rem; font-size: 1.25rem; line-height: 1.3; }
h3 { margin: 1.75rem 0 .4rem; font-size: 1rem; }
p { margin: 0 0 1rem; }
.warning { margin: 1.5rem 0 -1rem; padding: .9rem 1rem; border: 1px solid var(--vermilion); border-left-width: .4rem; border-radius: .3rem; background: var(--soft); overflow-wrap: anywhere; }
.warning p { margin: 0; }
.warning strong { color: var(--vermilion); }
ul { margin: 0 0 1rem; padding-left: 1.1rem; }
li { margin-bottom: .35rem; }
li::marker { color: var(--muted); }
small { font-size: .8125rem; color: var(--muted); font-weight: 400; }
code { font-family: ui-monospace, "SFMono-Regular", Menlo, Consolas, "Liberation Mono", monospace; font-size: .8125rem; }
bdi, code, h1, li, .lede, .note, .coefficients tbody th, .conditions { overflow-wrap: anywhere; }
section { margin-top: 2.75rem; padding-top: 1.5rem; border-top: 1px solid var(--rule); }
.lede { margin: .9rem 0 1.5rem; color: var(--muted); font-size: 1.0625rem; }
.note, .legend, figcaption, footer { color: var(--muted); font-size: .875rem; }
.note { margin-top: .75rem; }

dl { margin: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); gap: 0 2rem; }
dl > div { display: flex; justify-content: space-between; gap: 1rem; padding: .4rem 0; border-bottom: 1px solid var(--rule); }
dt { color: var(--muted); }
dd { margin: 0; text-align: right; }
dl > div:has(.pair, code) { grid-column: 1 / -1; }
.pair { display: inline-block; margin-left: 1.25rem; }
.pair bdi { color: var(--muted); }
data { white-space: nowrap; }
ul + dl { margin-top: 1.25rem; }
dl + table { margin-top: 1.5rem; }
.overview dl { grid-template-columns: repeat(4, 1fr); gap: 1px; background: var(--rule); border: 1px solid var(--rule); border-radius: .5rem; overflow: hidden; }
.overview dl > div { display: block; padding: .7rem .9rem; border: 0; background: var(--soft); }
.overview dt { font-size: .8125rem; }
.overview dd { text-align: left; font-size: 1.0625rem; font-weight: 600; line-height: 1.35; }

table { width: 100%; border-collapse: collapse; }
th, td { padding: .4rem .5rem; border-bottom: 1px solid var(--rule); text-align: left; vertical-align: middle; font-weight: 400; }
th:first-child, td:first-child { padding-left: 0; }
th:last-child, td:last-child { padding-right: 0; }
thead th { color: var(--muted); font-size: .8125rem; vertical-align: bottom; line-height: 1.35; }
thead small { display: block; }
.number { text-align: right; }
.gap td { text-align: center; color: var(--muted); font-size: .875rem; }
.conditions th { width: 50%; }
.conditions small, .releases small { display: block; }
.met { color: var(--blue); }
.unmet { color: var(--vermilion); }

.coefficients tbody th { font-weight: 600; }
.known tbody th { width: 24%; }
.bare .number { width: 1%; }
.coefficients td.number { white-space: nowrap; }
.coefficients td small { display: block; }
.coefficients b { font-weight: 600; }
.picture { width: 38%; }
thead .picture { text-align: center; }
thead .picture span { display: inline-block; width: 48%; }
td.picture { padding-top: 0; padding-bottom: 0; }
.strip { display: block; overflow: visible; }
.zero { stroke: var(--muted); stroke-width: 1; }
.interval { stroke: var(--bar); stroke-width: 7; }
.joint { stroke: var(--blue); stroke-width: 1.5; }
.clear circle { fill: var(--blue); stroke: var(--paper); stroke-width: 1.5; }
.unclear circle { fill: var(--paper); stroke: var(--blue); stroke-width: 2; }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: .9rem 0 0; }
.legend span { display: inline-flex; align-items: center; gap: .4rem; }
.legend svg, .key svg { flex: none; }

figure { margin: 0 0 1.5rem; }
figcaption { display: flex; flex-wrap: wrap; gap: 0 1.5rem; justify-content: space-between; margin-bottom: .75rem; }
.plot { padding: .4rem .6rem 0 3.4rem; }
.plot.wide { padding-left: 5.8rem; }
.plot svg { display: block; overflow: visible; }
.plot text { font-size: .8125rem; fill: var(--muted); }
.plot .x { text-anchor: middle; }
.plot .y { text-anchor: end; }
.grid { stroke: var(--rule); stroke-width: 1; }
.path { stroke: var(--blue); stroke-width: 2; stroke-linecap: round; }
.floor { stroke: var(--vermilion); stroke-width: 1.5; stroke-dasharray: 5 4; }
.plot circle { fill: var(--blue); stroke: var(--paper); stroke-width: 1.5; }
footer { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--rule); }
footer p { margin: 0; }

@media (max-width: 44rem) {
  .overview dl { grid-template-columns: repeat(2, 1fr); }
}
@media (max-width: 18rem) {
  .overview dl { grid-template-columns: 1fr; }
}
@media (max-width: 34rem) {
  main { padding-top: 1.5rem; }
  th, td { padding-left: .3rem; padding-right: .3rem; }
  .releases td, .releases th { font-size: .8125rem; }
  .number.wide { display: none; }
  .known tr { display: grid; grid-template-columns: 1fr auto; align-items: center; padding: .35rem 0; border-bottom: 1px solid var(--rule); }
  .known th, .known td { border: 0; padding: 0; }
  .known tbody th { width: auto; padding-right: .75rem; }
  .known thead .picture { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
  .known td.picture { grid-row: 2; grid-column: 1 / -1; width: auto; }
}
@media print {
  @page { margin: 16mm; }
  html { font-size: 9.5pt; }
  main { max-width: none; padding: 0; }
  h2, h3, thead, figcaption { break-after: avoid; }
  section { margin-top: 8mm; padding-top: 4mm; }
  tr, li, figure, dl > div, .overview, .warning { break-inside: avoid; }
  .strip, .plot, .overview dl > div { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`,
};
