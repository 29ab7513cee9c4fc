import { style } from '../page/style.ts';

/** The report's style, and what a page that changes needs besides. */
export const liveStyle = `${style.markup}
[hidden] { display: none !important; }
main.live { max-width: 58rem; }
.live[data-empty="true"] :is(section[aria-labelledby="history"], section[aria-labelledby="error"]) { display: none; }
.unseen { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; white-space: nowrap; }
.controls { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; justify-content: space-between; margin-bottom: 1rem; }
.controls > *, .state > span { min-width: 0; overflow-wrap: anywhere; }
.state { margin: 0; font-weight: 600; display: flex; align-items: center; gap: .55rem; }
.lamp { flex: none; width: .7rem; height: .7rem; border-radius: 50%; border: 2px solid var(--muted); }
.state[data-state="live"] .lamp { background: var(--blue); border-color: var(--blue); }
.state[data-state="alarmed"] .lamp, .state[data-state="troubled"] .lamp { background: var(--vermilion); border-color: var(--vermilion); border-radius: 0; }
.state[data-state="disconnected"] { color: var(--vermilion); }
.state[data-state="disconnected"] .lamp { border-color: var(--vermilion); border-style: dashed; }
.state[data-state="ended"] .lamp { background: var(--muted); border-radius: 0; }
[data-lost="true"] .strip, [data-lost="true"] .trend svg, [data-lost="true"] .meter svg { filter: grayscale(1); }
button, select, input { font: inherit; color: var(--ink); background: var(--soft); border: 1px solid var(--muted); border-radius: .3rem; padding: .25rem .75rem; max-width: 100%; }
button { cursor: pointer; }
button[aria-pressed="true"] { background: var(--ink); color: var(--paper); }
:focus-visible { outline: 3px solid var(--blue); outline-offset: 2px; }
.overview small { display: block; min-height: 1.35em; overflow-wrap: anywhere; }
.meter { margin-top: 1rem; }
.meter p { margin: 0 0 .35rem; font-size: .875rem; color: var(--muted); }
.meter svg { display: block; }
.track { fill: var(--rule); }
.done { fill: var(--bar); }
.live .warning { margin-bottom: 0; }
.live .warning + .warning { margin-top: 1rem; }
.live td.any, .live th.any { white-space: nowrap; }
.trends { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); gap: .5rem 1.5rem; }
.trends figure, #errors figure { margin: 0 0 1rem; min-width: 0; }
.trends figcaption { color: var(--ink); font-weight: 600; flex-wrap: nowrap; margin-bottom: .4rem; }
.trends figcaption bdi { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; overflow-wrap: normal; }
.trend .inner { overflow: hidden; }
.trend .path { fill: none; vector-effect: non-scaling-stroke; }
.trend .thin { fill: none; stroke: var(--bar); stroke-width: 1; vector-effect: non-scaling-stroke; }
.trend .floor { vector-effect: non-scaling-stroke; }
.trend .broad { fill: var(--bar); fill-opacity: .22; }
.trend .narrow { fill: var(--bar); fill-opacity: .5; }
.trend .plot { padding-left: 4.2rem; }
.trend .plot.wide { padding-left: 5.8rem; }
.trend text.first { text-anchor: start; }
.trend text.last { text-anchor: end; }
@media (min-width: 34.01rem) and (max-width: 58rem) {
  .live .known .wide { display: none; }
  .live .known tbody th { min-width: 8rem; }
}
form { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; }
@media (max-width: 34rem) {
  .live .known tr { grid-template-columns: 1fr auto; }
  .live .known thead .any { grid-column: 2; }
  .live .known tbody .any { grid-column: 1 / -1; grid-row: 3; }
  .live td.any, .live td.any data { white-space: normal; }
}
@media (min-width: 34.01rem) { .live .any .phone { display: none; } }
@media print {
  button, .picker { display: none; }
  main.live { max-width: none; }
  .trend .narrow, .trend .broad, .meter svg { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
