/** One figure by the built package, for figures.ts: its primary reading for so many seeds, in so many processes. Prints processor time and medians as JSON. */
import { availableParallelism } from 'node:os';
import { figureCells, runTasks } from '../dist/paper.js';

const { name, seeds, sizes, processes = availableParallelism() } = JSON.parse(process.argv[2]);
const begun = process.cpuUsage();
const runs = [];
await runTasks(
  Array.from({ length: seeds }, (_, seed) => ({ figure: name, seed, reading: 'primary' })),
  {
    processes,
    onDone: async ({ seed }, points) => {
      runs[seed] = points;
    },
  },
);
const last = figureCells(runs).filter(({ x }) => x === Math.max(...sizes));
const medians = Object.fromEntries(last.map(({ series, median }) => [series, median]));
// Of this process alone: it is meant for one.
const { user, system } = process.cpuUsage(begun);
console.log(JSON.stringify({ processorSeconds: (user + system) / 1e6, medians }));
