/**
 * Whoever reads the output may leave before its end, as `head` does. That is no failure, and no reason to stop: what
 * goes into files is still written, and results are printed last of all. Words on the way are nothing to fail for
 * either, whatever keeps them from being written.
 */
export interface Outputs {
  readonly stdout: NodeJS.EventEmitter;
  readonly stderr: NodeJS.EventEmitter & { write(text: string): unknown };
  exitCode?: typeof process.exitCode;
}

/** What a pipe says that nobody reads any more; the second on Windows. */
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
