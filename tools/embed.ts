/** Bundles the script of the live page into a TypeScript file that holds it as text; run as a script, it writes that file. */
import { writeFileSync } from 'node:fs';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** The file that holds the script. */
export const target = new URL('../src/sink/live/clientScript.ts', import.meta.url);

/** The text of `target`. */
export async function embedded(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: fileURLToPath(new URL('..', import.meta.url)),
    entryPoints: ['src/sink/live/client/main.ts'],
    bundle: true,
    minify: true,
    lineLimit: 4000,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    charset: 'utf8',
    tsconfigRaw: {},
  });
  const text = outputFiles[0]!.text.replaceAll(/[\\`]|\$\{/g, sign => `\\${sign}`);
  return `/** The script of the live page, made by \`npm run embed\` from the sources in \`client\`. */\nexport const clientScript = \`${text}\`;\n`;
}

if (argv[1] === fileURLToPath(import.meta.url)) writeFileSync(target, await embedded());
