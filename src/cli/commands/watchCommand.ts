import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { placeOf, whileUnfinished } from '../../files.ts';
import { liveView, viewOutput } from '../../fit/index.ts';
import { deadLetterFile, type OnlineEstimate, type OnlineOptions, type Output } from '../../fit/online/index.ts';
import { ArgumentError, estimateOnline } from '../../index.ts';
import {
  deadLetterTopic,
  type LiveNews,
  listenToken,
  modelFileOutput,
  NOTHING_YET,
  ndjsonOutput,
  pageServer,
  told,
  topicOutput,
} from '../../sink/index.ts';
import { isBroker } from '../flags/parse.ts';
import { onlineOptions, type WatchFlags } from '../flags/watchFlags.ts';
import { inFlags } from '../render/inFlags.ts';
import { visible } from '../render/text.ts';
import { plainLine, tableOf, watchTable } from '../render/watchTable.ts';
import { requireModelFile, requireOutputs } from './outputs.ts';

/** Why a run ends that was told to end. */
const STOPPED = new Error('the run was told to end');

/** 128 plus the signal number, for whoever does not wait for the end. */
const ENDINGS = { SIGINT: 130, SIGTERM: 143 } as const;

/** `sluice watch`: keeps an estimate current while rows arrive, until the stream ends or a signal comes. */
export async function watchCommand(source: string, flags: WatchFlags): Promise<void> {
  const options = onlineOptions(flags);
  // Refuses options that do not agree, before anything is opened; nothing runs until it is subscribed to.
  estimateOnline(source, { ...options, ...(flags.deadLetters !== undefined && { deadLetters: async () => {} }) });
  await requireWatchOutputs(source, flags);
  // A signal ends the run in order: a model file that is being written is finished first.
  whileUnfinished(() => () => {});
  const stop = new AbortController();
  const unheard = endOnSignals(stop);
  const watched = watchers(flags, stop);
  try {
    const taking = await watched.open(source);
    const last = await finished(source, { ...options, ...taking, signal: stop.signal });
    watched.end();
    if (last !== null && !flags.json && !watched.isShown) process.stdout.write(finalTable(last));
    if (last !== null && !flags.quiet) tellNotes(last);
  } catch (error) {
    if (error !== STOPPED) throw error;
  } finally {
    watched.end();
    await watched.close();
    unheard();
    // An input that is still open would keep the process from ending.
    if (source === '-') process.stdin.destroy();
  }
}

/** The last estimate of the run, once all its outputs are closed; null if it was stopped before there was one. */
function finished(source: string, options: OnlineOptions): Promise<OnlineEstimate | null> {
  let last: OnlineEstimate | null = null;
  return new Promise((done, fail) => {
    estimateOnline(source, options).subscribe({
      next: estimate => {
        last = estimate;
      },
      error: error => (error === STOPPED ? done(last) : fail(error)),
      complete: () => done(last),
    });
  });
}

/** Fails once the run is told to end. */
const stopped = (signal: AbortSignal): Promise<never> =>
  new Promise((_, fail) => {
    if (signal.aborted) fail(STOPPED);
    signal.addEventListener('abort', () => fail(STOPPED), { once: true });
  });

function endOnSignals(stop: AbortController): () => void {
  const handlers = Object.entries(ENDINGS).map(([signal, code]) => {
    const end = (): void => {
      if (stop.signal.aborted) process.exit(code);
      stop.abort(STOPPED);
    };
    process.on(signal, end);
    return () => process.off(signal, end);
  });
  return () => {
    for (const off of handlers) off();
  };
}

/** Everything that takes estimates and news. */
interface Watchers {
  /** Opens it all, before the run is charged for anything. */
  open(source: string): Promise<Pick<OnlineOptions, 'outputs' | 'deadLetters' | 'onStatus'>>;
  /** Whether the last estimate is on the terminal that results go to. */
  readonly isShown: boolean;
  /** Leaves the last estimate on the terminal. */
  end(): void;
  /** Closes what was opened, where the run has not: it may have been refused before it began. */
  close(): Promise<void>;
}

function watchers(
  { target, epsilon, onAlarm = 'restart', out, publish, deadLetters, listen, json, quiet }: WatchFlags,
  stop: AbortController,
): Watchers {
  const shown = watchTable({ quiet: quiet === true });
  const outputs: Output[] = [];
  let status = NOTHING_YET;
  let page: Awaited<ReturnType<typeof pageServer>> | undefined;
  let isOver = false;
  const tell = (news: LiveNews): void => {
    status = told(status, news);
    shown.tell(status);
    page?.tell(news);
  };
  const problemOf = (name: string) => (problem: string | null) =>
    tell({ problems: { [name]: problem === null ? null : inFlags(problem) } });
  const add = ({ close, ...output }: Output): void => {
    let closing: Promise<void> | undefined;
    outputs.push({
      ...output,
      close: () => {
        closing ??= close?.() ?? Promise.resolve();
        return closing;
      },
    });
  };
  return {
    isShown: !quiet && process.stderr.isTTY === true && process.stdout.isTTY === true,
    open: async source => {
      if (out !== undefined) add(modelFileOutput(out, { onProblem: problemOf(out) }));
      if (json) add(viewOutput(ndjsonOutput(process.stdout)));
      // Whoever pipes into `head` wants no more; a file, a topic or a page goes on without that reader.
      if (json && [out, publish, listen].every(other => other === undefined))
        process.stdout.once('close', () => stop.abort(STOPPED));
      const letters = await lettersTo(deadLetters, source, problemOf);
      if (letters !== undefined) add({ name: 'dead letters', publish: async () => {}, close: letters.close });
      if (publish !== undefined) {
        const run = `${target} of ${source}`;
        const topic = topicOutput(publish, { run, isAlone: epsilon !== undefined, onProblem: problemOf(publish) });
        add(viewOutput(topic));
        // A first look: what is wrong with the topic is told before anything is charged.
        await Promise.race([topic.last(), stopped(stop.signal)]);
      }
      if (listen !== undefined) {
        const facts = { source, target, isPrivate: epsilon !== undefined, onAlarm };
        page = await pageServer({ facts, listen, token: await listenToken(process.env) });
        if (!quiet) process.stderr.write(`sluice: the page is at ${page.url}\n`);
        add(viewOutput(page));
      }
      add({ name: 'the terminal', publish: async estimate => shown.show(liveView(estimate)) });
      return { outputs, onStatus: tell, ...(letters && { deadLetters: letters.add }) };
    },
    end: () => {
      if (!isOver) shown.end();
      isOver = true;
    },
    close: async () => {
      // Their errors are those of the run, which has ended with another one.
      await Promise.allSettled(outputs.map(output => output.close!()));
    },
  };
}

/** Where records go that cannot be read: a file, a subject or a topic; nowhere unless given. */
async function lettersTo(
  where: string | undefined,
  source: string,
  problemOf: (name: string) => (problem: string | null) => void,
): Promise<{ readonly add: NonNullable<OnlineOptions['deadLetters']>; close(): Promise<void> } | undefined> {
  if (where === undefined) return undefined;
  if (!isBroker(where)) return deadLetterFile(where, { onProblem: problemOf(where) });
  const { take, close } = deadLetterTopic(where, { source, onProblem: problemOf(where) });
  return { add: take, close };
}

/** Refuses outputs that could not be written, or that the stream would read. */
async function requireWatchOutputs(source: string, flags: WatchFlags): Promise<void> {
  const { out, deadLetters, bounds, ledger, history = [] } = flags;
  requireModelFile(out);
  const letters = deadLetters === undefined || isBroker(deadLetters) ? undefined : deadLetters;
  const found = source === '-' || isBroker(source) ? undefined : await stat(source).catch(() => undefined);
  await requireOutputs({
    outputs: { '--out': out },
    data: [...history, ...(found?.isFile() ? [source] : [])],
    inputs: { '--bounds': bounds },
    appended: { '--ledger': ledger, '--dead-letters': letters },
  });
  if (!found?.isDirectory()) return;
  for (const [flag, path] of Object.entries({ '--out': out, '--dead-letters': letters, '--ledger': ledger })) {
    if (path === undefined || dirname(await placeOf(path)) !== (await placeOf(source))) continue;
    throw new ArgumentError(
      `${flag} must not be in the folder that is watched, got ${JSON.stringify(path)}; name a file elsewhere`,
      'ERR_ARGUMENT',
      { argument: flag, value: path },
    );
  }
}

function finalTable(estimate: OnlineEstimate): string {
  const view = liveView(estimate);
  return `${plainLine({ ...view, coefficients: [] }, 0)}\n\n${tableOf(view)}`;
}

function tellNotes({ notes }: OnlineEstimate): void {
  for (const { text } of notes) process.stderr.write(`sluice: ${visible(inFlags(text))}\n`);
}
