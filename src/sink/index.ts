/**
 * What leaves: reports as pages, charts, and tables in files.
 *
 * @module sluice/report
 */

// Pages, charts, and their words
export { htmlReport } from './page/htmlReport.ts';
export { chartSvg, chartPng, type Chart } from './page/chart.ts';
export { setText } from './page/planFacts.ts';
export { claimText } from './page/theoremTable.ts';

// Tables in files
export {
  openPredictionSink,
  requireTableFile,
  holdsMetadata,
  type PredictionSink,
  type SinkOptions,
} from './table/openPredictionSink.ts';
export { columnsToIPC } from './table/columnsToIPC.ts';
export { type BatchFormat, streamBatches, writeBatches } from './table/writeBatches.ts';
