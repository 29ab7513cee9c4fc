const nothing = new Int32Array(new SharedArrayBuffer(4));

/** Tries again, after up to `pause` milliseconds, while a file is in use. */
export function patiently<T>(attempt: () => T, pause: number): T {
  for (let k = 0; ; k++) {
    try {
      return attempt();
    } catch (error) {
      if (!(error as Error).message.includes('is in use by')) throw error;
      Atomics.wait(nothing, 0, 0, (pause * (1 + ((process.pid + k) % 8))) / 8);
    }
  }
}
