import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';

/** Readers of a stream of server-sent events. */
export interface Readers {
  readonly count: number;
  /**
   * Adds a reader: one that comes back with the id of the latest event it saw gets what it missed, if that is still
   * known, and any other the newcomer's event.
   */
  join(response: ServerResponse, lastSeen: string | undefined): void;
  /** Sends an event to all. One that is kept is sent again to those who missed it. */
  send(kind: string, data: unknown, isKept: boolean): void;
  /** Ends all streams; browsers then come back. */
  end(): void;
}

/** How events are kept and sent. */
export interface ReadersOptions {
  /** What a newcomer is told first. */
  readonly newcomer: () => { readonly kind: string; readonly data: unknown };
  /** Milliseconds without an event after which one is sent that says nothing, so that a dead line is noticed. */
  readonly beat?: number;
  /** Milliseconds that a reader may take to accept what was sent; then it is cut off. */
  readonly patience?: number;
}

/** Characters of events that are kept for those who come back. */
const MOST_KEPT = 500_000;
/** Milliseconds until a browser comes back. */
const RETRY = 1000;

/**
 * Sends events without ever waiting for a reader. One that is slow holds at most one event in this process beside what
 * the system holds for it: what comes meanwhile is left out, and when it can take more it is told the whole state.
 */
export function readers({ newcomer, beat = 5000, patience = 30_000 }: ReadersOptions): Readers {
  // Ids of an earlier process mean nothing to this one.
  const epoch = randomUUID().slice(0, 8);
  let count = 0;
  let kept: { readonly id: number; readonly text: string }[] = [];
  let size = 0;
  const all = new Set<Reader>();

  const whole = (): string => {
    const { kind, data } = newcomer();
    return eventText(kind, data, `${epoch}-${count}`);
  };
  const beats = setInterval(() => {
    for (const reader of all) reader.write('event: beat\ndata: 0\n\n');
  }, beat);
  beats.unref();

  return {
    get count() {
      return all.size;
    },
    join: (response, lastSeen) => {
      const [, begun, number] = /^([\da-f]{8})-(\d{1,15})$/.exec(lastSeen ?? '') ?? [];
      const seen = Number(number);
      const isKnown = begun === epoch && seen <= count && (seen === count || (kept[0]?.id ?? Infinity) <= seen + 1);
      const missed = kept.filter(({ id }) => id > seen).map(({ text }) => text);
      const reader = readerOf(response, whole, patience, () => all.delete(reader));
      all.add(reader);
      reader.write(`retry: ${RETRY}\n\n${isKnown ? missed.join('') : whole()}`);
    },
    send: (kind, data, isKept) => {
      if (isKept) count++;
      const text = eventText(kind, data, `${epoch}-${count}`);
      if (isKept) {
        kept.push({ id: count, text });
        size += text.length;
        while (size > MOST_KEPT) size -= kept.shift()!.text.length;
      }
      for (const reader of all) reader.write(text);
    },
    end: () => {
      clearInterval(beats);
      for (const reader of all) reader.end();
      all.clear();
      kept = [];
    },
  };
}

interface Reader {
  write(text: string): void;
  end(): void;
}

function readerOf(response: ServerResponse, whole: () => string, patience: number, gone: () => void): Reader {
  let isBehind = false;
  let hasMissed = false;
  let limit: NodeJS.Timeout | undefined;
  response.on('close', () => {
    clearTimeout(limit);
    gone();
  });
  response.on('error', () => response.destroy());
  const write = (text: string): void => {
    if (isBehind) {
      hasMissed = true;
      return;
    }
    if (response.write(text)) return;
    isBehind = true;
    limit = setTimeout(() => response.destroy(), patience).unref();
    response.once('drain', () => {
      clearTimeout(limit);
      isBehind = false;
      if (hasMissed) {
        hasMissed = false;
        write(whole());
      }
    });
  };
  return { write, end: () => response.end() };
}

/** JSON has no line breaks, which would end the data. */
const eventText = (kind: string, data: unknown, id: string): string =>
  `id: ${id}\nevent: ${kind}\ndata: ${JSON.stringify(data)}\n\n`;
