/**
 * Bundles the command line into a few files, because finding and opening hundreds of them takes longer than running
 * them.
 */
import { rm } from 'node:fs/promises';
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
  sourcemap: true,
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
  external: [
    '@duckdb/node-api',
    '@foxglove/wasm-zstd',
    '@observablehq/plot',
    '@resvg/resvg-js',
    'linkedom',
    'lz4-napi',
  ],
};

/** Threads and processes are started from files next to those that start them. */
export async function bundleCli(outdir: string): Promise<void> {
  const [main, figureWorker] = ['src/cli/main.ts', 'src/lab/paper/figureWorker.ts'];
  await build({ ...common, outdir, entryPoints: { main, figureWorker }, splitting: true });
  // A reader waits until its threads have started, and they start faster from one file than from shared chunks.
  await build({ ...common, outdir, entryPoints: { columnWorker: 'src/source/read/columnWorker.ts' } });
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  // Shared chunks are named after their content, so those of earlier builds would accumulate.
  await rm(`${project}/dist/cli`, { recursive: true, force: true });
  await bundleCli('dist/cli');
}
