import { type FSWatcher, watch } from 'node:fs';

/** Waits for changes of a file or folder. */
export interface Watched {
  /** Whatever changes from now on counts as a change. */
  look(): void;
  /** Whether there may have been a change since the last look. */
  mayHaveChanged(): boolean;
  /** Until there may have been a change since the last look; throws when `stop` is aborted. */
  wait(stop: AbortSignal): Promise<void>;
  close(): void;
}

/**
 * Notices of the operating system, and a look every `every` milliseconds besides: network disks give no notice, and
 * notices of a busy folder may be lost.
 */
export function watched(path: string, every: number): Watched {
  let hasNotice = false;
  let looked = performance.now();
  let wake = (): void => {};
  let watcher: FSWatcher | undefined;
  const close = (): void => watcher?.close();
  try {
    watcher = watch(path, () => {
      hasNotice = true;
      wake();
    });
    watcher.on('error', close);
  } catch {
    // There is no more room for notices, or there are none on this disk.
  }
  return {
    look: () => {
      hasNotice = false;
      looked = performance.now();
    },
    mayHaveChanged: () => hasNotice || performance.now() - looked >= every,
    wait: async stop => {
      stop.throwIfAborted();
      if (hasNotice) return;
      await new Promise<void>(resolve => {
        const timer = setTimeout(() => wake(), every);
        wake = () => {
          clearTimeout(timer);
          stop.removeEventListener('abort', wake);
          resolve();
        };
        stop.addEventListener('abort', wake);
      });
      stop.throwIfAborted();
    },
    close,
  };
}
