/** Makes `dist/cli`: the command line in a few files, because finding and opening hundreds takes longer than what they do. */
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const project = fileURLToPath(new URL('../..', import.meta.url));

await rm(`${project}/dist/cli`, { recursive: true, force: true });
await build({
  absWorkingDir: project,
  outdir: 'dist/cli',
  // Programs that others start lie beside them, and so do the parts that they share.
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
  // For Node it offers CommonJS, of which nothing can be left out.
  alias: { rxjs: './node_modules/rxjs/dist/esm/index.js' },
  // They require modules of Node, or have files besides their code.
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
