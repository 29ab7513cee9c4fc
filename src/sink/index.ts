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

// Estimates of streams as they come: a page, lines of JSON, a model file, a topic
export { pageServer, type PageServer, type PageServerOptions } from './live/pageServer.ts';
export { listenToken } from './live/access.ts';
export { estimateLine, ndjsonOutput } from './live/ndjson.ts';
export { modelFileOutput, type ModelFileOptions, type ModelFileOutput } from './live/modelFile.ts';
export { deadLetterTopic, topicOutput, type TopicOptions, type TopicOutput } from './live/topic.ts';
export type {
  Ends,
  LiveCoefficient,
  LiveEstimate,
  LiveFacts,
  LiveNews,
  LiveOutput,
  LiveStatus,
} from './live/liveState.ts';
export { NOTHING_YET, told } from './live/liveState.ts';
