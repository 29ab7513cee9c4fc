import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { engineWorker, type WorkerStart } from '../../../src/engine/local/engineWorker.ts';
import { compiledModule } from '../../../src/math/wasm/webAssembly.ts';
import { columnArena } from '../../../src/sample/arena.ts';
import { CONTROL } from '../../../src/sample/kernelRegion.ts';

/** (module (import "env" "memory" (memory 1 65536 shared)) (func (export "work") (param i32 i32 i32) unreachable)) */
const failing = Buffer.from(
  '0061736d01000000010701600 37f7f7f00021201 03656e76066d656d6f72790203018080 04030201000708 0104776f726b00000a05010300000b'.replaceAll(
    ' ',
    '',
  ),
  'hex',
);

describe('engineWorker', () => {
  it('reports an error, marks the arena, leaves it, and ends when told', async () => {
    const { port1, port2 } = new MessageChannel();
    const calls = new Int32Array(new SharedArrayBuffer(8));
    const start: WorkerStart = {
      thread: 1,
      module: compiledModule(Buffer.from(failing).toString('base64')),
      calls,
      port: port2,
      places: CONTROL,
    };
    const worker = new Worker(`(${engineWorker})(require('node:worker_threads'))`, {
      eval: true,
      workerData: start,
      transferList: [port2],
    });
    const { memory, region } = columnArena({ features: 1, capacity: 1 });
    const control = new Int32Array(memory.buffer, region.control, CONTROL.length);
    port1.postMessage({ memory, region });
    Atomics.add(calls, 0, 1);
    Atomics.notify(calls, 0);
    while (Atomics.load(control, CONTROL.failed) === 0 || Atomics.load(control, CONTROL.active) > 0) {
      await new Promise(resolve => setTimeout(resolve, 5));
    }
    expect(receiveMessageOnPort(port1)?.message).to.be.instanceOf(Error).with.property('message', 'unreachable');
    const exit = new Promise(resolve => worker.once('exit', resolve));
    Atomics.store(calls, 1, 1);
    Atomics.add(calls, 0, 1);
    Atomics.notify(calls, 0);
    expect(await exit).to.equal(0);
  });
});
