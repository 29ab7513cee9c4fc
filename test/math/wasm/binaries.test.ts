import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { wasmKernel } from '../../../src/engine/kernel/wasmKernel.ts';
import { columnArena } from '../../../src/sample/arena.ts';
import { binaries, digest, recorded, target } from '../../../tools/compile.ts';

describe('compiled modules', () => {
  // Compiling takes as long as everything else in this file a hundred times.
  it('are what their AssemblyScript compiles to, byte for byte @slow', async () => {
    expect(await binaries(), 'run `npm run wasm`').to.equal(readFileSync(target, 'utf8'));
  });

  it('were compiled from this AssemblyScript, by this compiler with these flags, and are as they were then', () => {
    expect(digest(), 'run `npm run wasm`').to.equal(readFileSync(recorded, 'utf8'));
  });
});

describe('kernelBinary', () => {
  it('keeps its constants below everything else in an arena', () => {
    const arena = columnArena({ features: 3, capacity: 10 });
    const { control, job, theta } = arena.region;
    wasmKernel(arena);
    const bytes = new Uint8Array(arena.memory.buffer);
    expect(bytes.subarray(0, control).some(byte => byte !== 0)).to.equal(true);
    expect(bytes.subarray(control, job).some(byte => byte !== 0)).to.equal(false);
    expect(bytes.subarray(theta).some(byte => byte !== 0)).to.equal(false);
  });
});
