/** What the server sends, and whether it does. */
export interface Handlers {
  on(kind: string, data: unknown): void;
  lost(): void;
  found(): void;
}

/** Milliseconds without a sign of life after which a line counts as dead; the server beats every five seconds. */
const SILENCE = 12_000;
/** Milliseconds until the next attempt, at first and at most. */
const [FIRST_WAIT, LONGEST_WAIT] = [1000, 15_000];

/**
 * Listens to the events of the server until it is told to stop. Browsers come back to a server that hangs up; they do
 * not to one that answers with an error, such as a proxy in front of a watcher that restarts, nor do they notice a line
 * that is dead, so both are tried anew here.
 */
export function connect({ on, lost, found }: Handlers): { stop(): void } {
  let source: EventSource | undefined;
  let heard = Date.now();
  let wait = FIRST_WAIT;
  let timer: number | undefined;
  let isStopped = false;

  const open = (): void => {
    timer = undefined;
    heard = Date.now();
    source = new EventSource('/events');
    for (const kind of ['snapshot', 'estimate', 'status', 'beat']) {
      source.addEventListener(kind, event => {
        heard = Date.now();
        wait = FIRST_WAIT;
        found();
        if (kind !== 'beat') on(kind, JSON.parse((event as MessageEvent<string>).data));
      });
    }
    // One that comes back and missed nothing is sent nothing.
    source.onopen = () => {
      heard = Date.now();
      found();
    };
    source.onerror = () => {
      lost();
      if (source?.readyState === EventSource.CLOSED) again();
    };
  };
  const again = (): void => {
    source?.close();
    if (isStopped || timer !== undefined) return;
    timer = setTimeout(open, wait);
    wait = Math.min(2 * wait, LONGEST_WAIT);
    // The token may have changed: the page at its address then asks for it.
    fetch('/healthz').then(
      ({ status }) => {
        if (status === 401) location.reload();
      },
      () => {},
    );
  };
  const watch = setInterval(() => {
    if (timer !== undefined || Date.now() - heard < SILENCE) return;
    lost();
    again();
  }, 1000);
  open();
  return {
    stop: () => {
      isStopped = true;
      clearInterval(watch);
      clearTimeout(timer);
      source?.close();
    },
  };
}
