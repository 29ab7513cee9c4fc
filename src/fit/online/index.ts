/**
 * Estimates from rows that keep arriving: where they come from, what is estimated from them, and pipelines of one's own.
 * `estimateOnline` itself is in `sluice`.
 *
 * @module sluice/streams
 */

// The call: its options, what it gives, and where that goes
export type { OnlineOptions, OnlineSource } from './estimateOnline.ts';
export type { OnlineRequestOptions } from './onlineRequest.ts';
export { planStream } from './planStream.ts';
export type { Alarm, OnlineCoefficient, OnlineEstimate, Output } from './onlineEstimate.ts';

// Where rows come from, and what a source of one's own implements
export { batchStream, type BatchStreamOptions } from '../../source/live/batchStream.ts';
export { stdinStream } from '../../source/live/stdinStream.ts';
export { folderStream } from '../../source/live/folderStream.ts';
export { growingFile, type WatchOptions } from '../../source/live/growingFile.ts';
export { natsStream, type NatsOptions } from '../../source/live/nats.ts';
export { kafkaStream, type KafkaOptions } from '../../source/live/kafka.ts';
export { openLive, type OpenLiveNamed } from '../../source/live/openLive.ts';
export { deadLetterFile, type DeadLetterFile } from '../../source/live/deadLetterFile.ts';
export type {
  Arrival,
  DeadLetter,
  Item,
  Json,
  LiveColumns,
  LiveSource,
  OpenLiveOptions,
  OpenStream,
  Position,
} from '../../source/live/liveSource.ts';

// A pipeline of one's own: an endless plan, its stage, and what a state says
export { onlineChunks, planOnline, type OnlinePlanOptions, type OnlinePlan } from '../../plan/online/planOnline.ts';
export { planEndless, type EndlessOptions } from '../../plan/online/planEndless.ts';
export { informationSums } from '../../flow/informationSums.ts';
export { mergeOnline, reportOnline, type OnlineReport } from '../../inference/online/onlineReport.ts';
export { shiryaevRoberts } from '../../method/rule/shiryaevRoberts.ts';
export type { PooledWatch } from '../../method/rule/pooled.ts';
export type { InformationState } from '../../method/rule/informationState.ts';

// Private streams
export {
  type PrivateCheckpoint,
  type PrivateOnline,
  privateOnline,
  type PrivateOnlineRun,
} from './privateOnline.ts';
