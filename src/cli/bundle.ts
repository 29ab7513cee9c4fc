/**
 * Bundles the command line: a few files, because to find and open hundreds of them takes longer than to run what they
 * hold.
 */
import { rm } from 'node:fs/promises';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';

const project = fileURLToPath(new URL('../..', import.meta.url));

const common: BuildOptions = {
  absWorkingDir: project,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  sourcemap: true,
  // Half of the time to load a file goes by its length. Names stay, for reports of bugs.
  minifySyntax: true,
  minifyWhitespace: true,
  // What it offers to Node is CommonJS, of which nothing can be left out.
  alias: { rxjs: './node_modules/rxjs/dist/esm/index.js' },
  // For CommonJS that requires modules of Node.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
  // Packages that have files besides their code.
  external: [
    '@duckdb/node-api',
    '@foxglove/wasm-zstd',
    '@observablehq/plot',
    '@resvg/resvg-js',
    'linkedom',
    'lz4-napi',
  ],
};

/** Threads and processes are started from files beside those that start them. */
export async function bundleCli(outdir: string): Promise<void> {
  const [main, figureWorker] = ['src/cli/main.ts', 'src/experiment/figureWorker.ts'];
  await build({ ...common, outdir, entryPoints: { main, figureWorker }, splitting: true });
  // Whoever reads waits until its threads have started, which they do sooner from one file than from shared parts.
  await build({ ...common, outdir, entryPoints: { columnWorker: 'src/source/columnWorker.ts' } });
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  // Shared parts are named after their content, so those of earlier builds would stay.
  await rm(`${project}/dist/cli`, { recursive: true, force: true });
  await bundleCli('dist/cli');
}
