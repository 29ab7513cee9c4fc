import { bytesIn, decoded, encoded, type Field, type Message, numberIn, textIn } from './wire.ts';

/**
 * Messages of the service `spark.connect.SparkConnectService`, by the numbers of their fields in Spark 4
 * (`spark/connect/base.proto`, `relations.proto`, `commands.proto`).
 */

const CLIENT = 'sluice';
const USER: Field = [
  2,
  [
    [1, CLIENT],
    [2, CLIENT],
  ],
];

const relationOf = (sql: string): readonly Field[] => [[10, [[1, sql]]]];

/** Asks for the result of a query in an operation that can be attached to again. */
export const executeRequest = (session: string, operation: string, sql: string): Buffer =>
  encoded([[1, session], USER, [3, [[1, relationOf(sql)]]], [4, CLIENT], [5, [[1, [[1, 1]]]]], [6, operation]]);

/** Goes on with an operation after the last response that arrived. */
export const reattachRequest = (session: string, operation: string, last: string | undefined): Buffer =>
  encoded([[1, session], USER, [3, operation], [4, CLIENT], ...(last === undefined ? [] : [[5, last] as const])]);

export const releaseExecuteRequest = (session: string, operation: string): Buffer =>
  encoded([[1, session], USER, [3, operation], [4, CLIENT], [5, []]]);

export const releaseSessionRequest = (session: string): Buffer => encoded([[1, session], USER, [3, CLIENT]]);

const BY_OPERATION = 3;

export const interruptRequest = (session: string, operation: string): Buffer =>
  encoded([[1, session], USER, [3, CLIENT], [4, BY_OPERATION], [6, operation]]);

/** A response to a query: one part of its result, or how far it is, or that this was all. */
export interface ExecuteResponse {
  readonly id: string | undefined;
  /** An Arrow stream. */
  readonly arrow: Uint8Array | undefined;
  readonly isComplete: boolean;
  /** The share of its tasks that are done, as far as the stages are known. */
  readonly progress: number | undefined;
}

export function executeResponse(bytes: Uint8Array): ExecuteResponse {
  const message = decoded(bytes);
  const [batch] = bytesIn(message, 2);
  const [progress] = bytesIn(message, 18);
  return {
    id: textIn(message, 13),
    arrow: batch && bytesIn(decoded(batch), 2).at(-1),
    isComplete: message.has(14),
    progress: progress && progressOf(decoded(progress)),
  };
}

function progressOf(message: Message): number | undefined {
  const stages = bytesIn(message, 1).map(decoded);
  const tasks = stages.reduce((sum, stage) => sum + numberIn(stage, 2), 0);
  const done = stages.reduce((sum, stage) => sum + numberIn(stage, 3), 0);
  return tasks === 0 ? undefined : done / tasks;
}
