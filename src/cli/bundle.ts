/** Bundles the command line: a few files, because to find and open hundreds of them takes longer than to run what they hold. */
import { rm } from 'node:fs/promises';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const project = fileURLToPath(new URL('../..', import.meta.url));

export async function bundleCli(outdir: string): Promise<void> {
  await build({
    absWorkingDir: project,
    outdir,
    // Threads and processes are started from files beside those that start them, and shared parts lie there too.
    entryPoints: {
      main: 'src/cli/main.ts',
      columnWorker: 'src/source/columnWorker.ts',
      figureWorker: 'src/experiment/figureWorker.ts',
    },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    // What it offers to Node is CommonJS, of which nothing can be left out.
    alias: { rxjs: './node_modules/rxjs/dist/esm/index.js' },
    // Packages that have files besides their code, and CommonJS that requires modules of Node.
    external: [
      '@duckdb/node-api',
      '@foxglove/wasm-zstd',
      '@observablehq/plot',
      '@resvg/resvg-js',
      'commander',
      'linkedom',
      'lz4-napi',
    ],
  });
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  // Shared parts are named after their content, so those of earlier builds would stay.
  await rm(`${project}/dist/cli`, { recursive: true, force: true });
  await bundleCli('dist/cli');
}
