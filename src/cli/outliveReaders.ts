/**
 * The reader of the output may close the pipe early, as `head` does. That is not a failure and no reason to stop: files
 * are still written, and results are printed last. Nor does a run fail because progress or warnings cannot be written.
 */
export interface Outputs {
  readonly stdout: NodeJS.EventEmitter;
  readonly stderr: NodeJS.EventEmitter & { write(text: string): unknown };
  exitCode?: typeof process.exitCode;
}

/** Whether writing failed because the reader of a pipe has left; the second code is that of Windows. */
export const isWithoutReader = ({ code }: NodeJS.ErrnoException): boolean => code === 'EPIPE' || code === 'EOF';

export function outliveReaders(outputs: Outputs): void {
  outputs.stderr.on('error', () => {});
  let isTold = false;
  outputs.stdout.on('error', (error: Error) => {
    if (isWithoutReader(error) || isTold) return;
    isTold = true;
    outputs.stderr.write(
      `sluice: standard output cannot be written: ${error.message}; make room, or send it elsewhere\n`,
    );
    outputs.exitCode = 2;
  });
}
