import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { binaryFile, compiledModules } from '../../../src/gradient/wasm/assembly/compile.ts';
import { wasmKernel } from '../../../src/gradient/wasm/wasmKernel.ts';
import { columnArena } from '../../../src/sample/arena.ts';

describe('compiled modules', () => {
  for (const module of compiledModules) {
    it(`are what their AssemblyScript compiles to, byte for byte: ${module.name}`, async () => {
      expect(await binaryFile(module), 'run `npm run wasm`').to.equal(readFileSync(module.target, 'utf8'));
    });
  }
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
