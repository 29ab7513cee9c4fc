/** Compiles kernel.ts here into the bytes that ../kernelBinary.ts holds; run as a script, it writes that file. */
import { readFileSync, writeFileSync } from 'node:fs';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const FLAGS =
  '--outFile kernel.wasm --enable simd,threads --runtime stub --optimizeLevel 3 --converge --noAssert ' +
  '--importMemory --noExportMemory --sharedMemory --initialMemory 1 --maximumMemory 65536';

export async function compile(source: string): Promise<Uint8Array> {
  let binary: Uint8Array | undefined;
  const { error, stderr } = await asc.main(['kernel.ts', ...FLAGS.split(' ')], {
    readFile: name => (name === 'kernel.ts' ? source : null),
    writeFile: (_, contents) => {
      if (typeof contents !== 'string') binary = contents;
    },
    listFiles: () => [],
  });
  if (error !== null || binary === undefined) throw new Error(stderr.toString(), { cause: error });
  return binary;
}

export const kernelSource = (): string => readFileSync(new URL('kernel.ts', import.meta.url), 'utf8');

if (argv[1] === fileURLToPath(import.meta.url)) {
  const base64 = Buffer.from(await compile(kernelSource())).toString('base64');
  const text = `/** Made from assembly/kernel.ts by \`npm run wasm\`. */\nexport const kernelBinary =\n  '${base64}';\n`;
  writeFileSync(new URL('../kernelBinary.ts', import.meta.url), text);
}
