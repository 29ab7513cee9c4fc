import { expect } from 'chai';
import { compile, kernelSource } from '../../../src/gradient/wasm/assembly/compile.ts';
import { kernelBinary } from '../../../src/gradient/wasm/kernelBinary.ts';
import { wasmKernel } from '../../../src/gradient/wasm/wasmKernel.ts';
import { columnArena } from '../../../src/sample/arena.ts';

describe('kernelBinary', () => {
  it('is what the AssemblyScript beside it compiles to, byte for byte', async () => {
    const compiled = await compile(kernelSource());
    expect(Buffer.from(compiled).toString('base64'), 'run `npm run wasm`').to.equal(kernelBinary);
  });

  it('keeps its constants below everything else in an arena', () => {
    const arena = columnArena({ features: 3, capacity: 10 });
    const { control, job } = arena.region;
    wasmKernel(arena);
    const bytes = new Uint8Array(arena.memory.buffer);
    expect(bytes.subarray(0, control).some(byte => byte !== 0)).to.equal(true);
    expect(bytes.subarray(control, job).some(byte => byte !== 0)).to.equal(false);
    expect(bytes.subarray(job + 64).some(byte => byte !== 0)).to.equal(false);
  });
});
