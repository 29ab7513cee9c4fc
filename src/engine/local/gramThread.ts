import { Worker } from 'node:worker_threads';
import type { CompiledModule, Instance, SharedMemory } from '../../math/wasm/webAssembly.ts';
import type { GramArithmetic, GramRoom, GramWork } from '../kernel/cellGrams.ts';

/** Enough for a batch, so that the reader need not wait for the adding thread. */
const PIECES = 64;

/**
 * Words of the control block: pieces handed over; pieces added, or `FAILED`; 1 once there will be no more; then the
 * number of rows in each piece.
 */
const PLACES = { given: 0, added: 1, last: 2, rows: 3 } as const;

/** Stored in the word on which the caller waits: while it does, it receives no events from the thread. */
const FAILED = -1;

/**
 * A thread that adds pieces of rows to moments while the caller reads and fills others. Pieces are added in the order
 * in which they were handed over, so the moments are identical to the last bit to those the caller would have computed.
 */
export const gramThread: GramWork = {
  pieces: PIECES,
  begin({ memory, module, pieces }: GramRoom) {
    const control = new Int32Array(new SharedArrayBuffer(4 * (PLACES.rows + PIECES)));
    const workerData: GramStart = {
      memory,
      module,
      jobs: pieces.map(({ job }) => job),
      control,
      places: PLACES,
      failed: FAILED,
    };
    const worker = new Worker(`(${gramWorker})(require('node:worker_threads').workerData)`, {
      eval: true,
      execArgv: [],
      workerData,
    });
    worker.unref();
    // For a thread that failed to start.
    worker.on('error', () => {
      Atomics.store(control, PLACES.added, FAILED);
    });
    let given = 0;

    /** Waits until at most this many pieces are pending. */
    const waitFor = (pending: number): void => {
      for (;;) {
        const added = Atomics.load(control, PLACES.added);
        if (added === FAILED) throw new Error('the thread that adds moments failed');
        if (given - added <= pending) return;
        if (Atomics.wait(control, PLACES.added, added, PATIENCE) === 'timed-out')
          throw new Error(`the thread that adds moments has not responded for ${PATIENCE / 1000} seconds`);
      }
    };
    const end = (): void => {
      Atomics.store(control, PLACES.last, 1);
      Atomics.notify(control, PLACES.given);
    };
    return {
      publish(piece, rows) {
        control[PLACES.rows + piece] = rows;
        given++;
        Atomics.store(control, PLACES.given, given);
        Atomics.notify(control, PLACES.given);
        waitFor(PIECES - 1);
      },
      settle() {
        waitFor(0);
        end();
      },
      end,
    };
  },
};

/** In milliseconds. A piece takes a tenth of a millisecond: a thread this late has died. */
const PATIENCE = 60_000;

interface GramStart {
  readonly memory: SharedMemory;
  readonly module: CompiledModule;
  readonly jobs: readonly number[];
  readonly control: Int32Array;
  readonly places: typeof PLACES;
  readonly failed: typeof FAILED;
}

/** The program of the thread, started from its source text like `engineWorker`. */
function gramWorker({ memory, module, jobs, control, places, failed }: GramStart): void {
  const wasm = (globalThis as unknown as { readonly WebAssembly: { readonly Instance: typeof Instance } }).WebAssembly;
  try {
    const { addRows } = new wasm.Instance(module, { env: { memory } }).exports as GramArithmetic;
    for (let added = 0; ; ) {
      if (Atomics.load(control, places.given) === added) {
        if (Atomics.load(control, places.last) === 1) return;
        // With a timeout, because the end is signalled without another piece.
        Atomics.wait(control, places.given, added, 100);
        continue;
      }
      const piece = added % jobs.length;
      addRows(jobs[piece]!, control[places.rows + piece]!);
      Atomics.store(control, places.added, ++added);
      Atomics.notify(control, places.added);
    }
  } catch {
    Atomics.store(control, places.added, failed);
    Atomics.notify(control, places.added);
  }
}
