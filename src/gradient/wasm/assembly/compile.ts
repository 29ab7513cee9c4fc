/** Compiles AssemblyScript to base64 constants in TypeScript files; run as a script, it writes all of these files. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const FLAGS =
  '--outFile module.wasm --enable simd,threads --runtime stub --optimizeLevel 3 --converge --noAssert ' +
  '--importMemory --noExportMemory --sharedMemory --initialMemory 1 --maximumMemory 65536';

/** Compiles a module; its imports are read from `folder`. */
export async function compile(source: string, folder?: URL): Promise<Uint8Array> {
  let binary: Uint8Array | undefined;
  const imported = (name: string): string | null => {
    const file = folder && new URL(name, folder);
    return file !== undefined && existsSync(file) ? readFileSync(file, 'utf8') : null;
  };
  const { error, stderr } = await asc.main(['module.ts', ...FLAGS.split(' ')], {
    readFile: name => (name === 'module.ts' ? source : imported(name)),
    writeFile: (_, contents) => {
      if (typeof contents !== 'string') binary = contents;
    },
    listFiles: () => [],
  });
  if (error !== null || binary === undefined) throw new Error(stderr.toString(), { cause: error });
  return binary;
}

/** The modules to compile: `source` becomes the constant `name` in `target`. */
export const compiledModules = [
  {
    name: 'kernelBinary',
    source: 'gradient/wasm/assembly/kernel.ts',
    target: 'gradient/wasm/kernelBinary.ts',
  },
  {
    name: 'cellGramsBinary',
    source: 'gradient/wasm/assembly/cellGrams.ts',
    target: 'gradient/wasm/cellGramsBinary.ts',
  },
  {
    name: 'cloudBinary',
    source: 'aggregate/wasm/assembly/cloud.ts',
    target: 'aggregate/wasm/cloudBinary.ts',
  },
  {
    name: 'riskTileBinary',
    source: 'pilot/wasm/assembly/riskTile.ts',
    target: 'pilot/wasm/riskTileBinary.ts',
  },
  {
    name: 'scanBinary',
    source: 'sample/wasm/assembly/scan.ts',
    target: 'sample/wasm/scanBinary.ts',
  },
  {
    name: 'snappyBinary',
    source: 'source/codec/wasm/assembly/snappy.ts',
    target: 'source/codec/wasm/snappyBinary.ts',
  },
  {
    name: 'rowCellsBinary',
    source: 'source/wasm/assembly/rowCells.ts',
    target: 'source/wasm/rowCellsBinary.ts',
  },
  {
    name: 'cellRowsBinary',
    source: 'source/wasm/assembly/cellRows.ts',
    target: 'source/wasm/cellRowsBinary.ts',
  },
  {
    name: 'columnDrawsBinary',
    source: 'source/synthetic/wasm/assembly/columnDraws.ts',
    target: 'source/synthetic/wasm/columnDrawsBinary.ts',
  },
].map(({ name, source, target }) => ({ name, source: inSources(source), target: inSources(target) }));

function inSources(path: string): URL {
  return new URL(`../../../${path}`, import.meta.url);
}

/** The text of a module's `target` file. */
export async function binaryFile({ name, source }: (typeof compiledModules)[number]): Promise<string> {
  const base64 = Buffer.from(await compile(readFileSync(source, 'utf8'), source)).toString('base64');
  return `/** Made by \`npm run wasm\` from the AssemblyScript below. */\nexport const ${name} =\n  '${base64}';\n`;
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  for (const module of compiledModules) writeFileSync(module.target, await binaryFile(module));
}
