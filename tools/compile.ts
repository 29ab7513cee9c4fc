/**
 * Compiles AssemblyScript to base64 constants in a TypeScript file; run as a script, it writes that file, and a digest of
 * what it was made of and of itself.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';

const FLAGS =
  '--outFile module.wasm --enable simd,threads --runtime stub --optimizeLevel 3 --converge --noAssert ' +
  '--importMemory --noExportMemory --sharedMemory --initialMemory 1 --maximumMemory 65536';

/** Compiles a module; its imports are read from `folder`. */
export async function compile(source: string, folder?: URL): Promise<Uint8Array> {
  // The compiler takes seconds to load, and a digest does without.
  const { default: asc } = await import('assemblyscript/asc');
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

const folder = new URL('../src/math/wasm/', import.meta.url);

/** The file of constants that the modules become. */
export const target = new URL('binaries.ts', folder);

/** The modules to compile, each a file of `assembly`; `kernel` becomes the constant `kernelBinary`. */
const MODULES = [
  'kernel',
  'cellGrams',
  'cloud',
  'riskTile',
  'scan',
  'snappy',
  'rowCells',
  'cellRows',
  'columnDraws',
] as const;

/** The text of `target`. */
export async function binaries(): Promise<string> {
  const constants = [];
  for (const name of MODULES) {
    const source = new URL(`assembly/${name}.ts`, folder);
    const base64 = Buffer.from(await compile(readFileSync(source, 'utf8'), source)).toString('base64');
    constants.push(`\nexport const ${name}Binary =\n  '${base64}';\n`);
  }
  return `/** The compiled modules, made by \`npm run wasm\` from the AssemblyScript in \`assembly\`. */\n${constants.join('')}`;
}

/** The file of the digest that `target` was written with. */
export const recorded = new URL('../test/vectors/binaries.sha256', import.meta.url);

/** A digest of the sources, the compiler's version and flags, and `target` as it is. */
export function digest(): string {
  const hash = createHash('sha256');
  const { version } = createRequire(import.meta.url)('assemblyscript/package.json');
  const assembly = new URL('assembly/', folder);
  for (const part of [version, FLAGS, MODULES.join(), readFileSync(target, 'utf8')]) hash.update(`${part}\n`);
  for (const name of readdirSync(assembly).sort())
    hash.update(`${name}\n${readFileSync(new URL(name, assembly), 'utf8')}`);
  return `${hash.digest('hex')}\n`;
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(target, await binaries());
  writeFileSync(recorded, digest());
}
