/**
 * `sluice/report`: what leaves: reports as pages, charts, and tables in files.
 *
 * @module
 */
export { type Chart, chartPng, chartSvg } from './page/chart.ts';
export { htmlReport } from './page/htmlReport.ts';
export { setText } from './page/planFacts.ts';
export { claimText } from './page/theoremTable.ts';
export { columnsToIPC } from './table/columnsToIPC.ts';
export {
  holdsMetadata,
  openPredictionSink,
  type PredictionSink,
  requireTableFile,
  type SinkOptions,
} from './table/openPredictionSink.ts';
