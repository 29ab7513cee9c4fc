/**
 * The reader of the output may close the pipe early, as `head` does. That is not a failure and no reason to stop: files
 * are still written, and results are printed last. Nor does a run fail because progress or warnings cannot be written.
 */
export interface Outputs {
  readonly stdout: NodeJS.EventEmitter;
  readonly stderr: NodeJS.EventEmitter & { write(text: string): unknown };
  exitCode?: typeof process.exitCode;
}

/** Error codes of a pipe without a reader; the second on Windows. */
const NOBODY_READS: readonly (string | undefined)[] = ['EPIPE', 'EOF'];

export function outliveReaders(outputs: Outputs): void {
  outputs.stderr.on('error', () => {});
  let isTold = false;
  outputs.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (NOBODY_READS.includes(code) || isTold) return;
    isTold = true;
    outputs.stderr.write(
      `sluice: standard output cannot be written: ${message}; make room, or send it elsewhere\n`,
    );
    outputs.exitCode = 2;
  });
}
