/**
 * Bundles what is published into a few files, because finding and opening hundreds of them takes longer than running
 * them: the command line with the packages it uses, and the library, which shares its packages with its users.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';

const project = fileURLToPath(new URL('..', import.meta.url));

const common: BuildOptions = {
  absWorkingDir: project,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
};

/** Threads and processes are started from files next to those that start them. */
const figureWorker = 'src/lab/paper/figureWorker.ts';
/** A reader waits until its threads have started, and they start faster from one file than from shared chunks. */
const columnWorker = 'src/source/read/columnWorker.ts';

export async function bundleCli(outdir: string): Promise<void> {
  const options: BuildOptions = {
    ...common,
    outdir,
    // Half of the time to load a file is proportional to its length. Names stay, for bug reports.
    minifySyntax: true,
    minifyWhitespace: true,
    // Its Node entry point is CommonJS, which cannot be tree-shaken.
    alias: { rxjs: './node_modules/rxjs/dist/esm/index.js' },
    // For bundled CommonJS that requires Node's modules.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    // Packages that ship files besides their code.
    external: ['@observablehq/plot', 'linkedom'],
  };
  await build({ ...options, entryPoints: { main: 'src/cli/main.ts', figureWorker }, splitting: true });
  await build({ ...options, entryPoints: { columnWorker } });
}

/** The entries of package.json: `dist/NAME.js` with the types `dist/PATH.d.ts` is made of `src/PATH.ts`. */
export async function bundleLibrary(outdir: string): Promise<void> {
  const { exports } = JSON.parse(await readFile(`${project}/package.json`, 'utf8'));
  const entries = Object.values<{ types?: string; default?: string }>(exports).flatMap(entry =>
    entry.types === undefined
      ? []
      : [
          [
            /^\.\/dist\/(.*)\.js$/.exec(entry.default!)![1]!,
            `${entry.types.replace('./dist/', 'src/').slice(0, -5)}.ts`,
          ],
        ],
  );
  // Folded constants are no statements that a bundler must keep.
  const options: BuildOptions = { ...common, outdir, packages: 'external', minifySyntax: true };
  const { outputFiles } = await build({
    ...options,
    entryPoints: { ...Object.fromEntries(entries), figureWorker },
    splitting: true,
    write: false,
  });
  // A file that imports nothing by name from a shared chunk still imports it, to run it. It runs nothing, as
  // package.json says, and bundlers would warn of the contradiction.
  await mkdir(resolve(project, outdir), { recursive: true });
  for (const { path, text } of outputFiles) await writeFile(path, text.replace(/^import "[^"]+";\n/gm, ''));
  await build({ ...options, entryPoints: { columnWorker } });
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  // Shared chunks are named after their content, so those of earlier builds would accumulate.
  await rm(`${project}/dist`, { recursive: true, force: true });
  await Promise.all([bundleLibrary('dist'), bundleCli('dist/cli')]);
}
