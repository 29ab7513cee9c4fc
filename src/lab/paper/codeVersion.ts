import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';

/**
 * A digest of the program that computes the numbers, including everything it imports, so that results of different code
 * are not mixed.
 */
export async function codeVersion(): Promise<string> {
  const pending = [new URL(`./figureWorker${extname(import.meta.url)}`, import.meta.url).href];
  const texts = new Map<string, string>();
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (texts.has(file)) continue;
    const text = await readFile(new URL(file), 'utf8');
    texts.set(file, text);
    // Compiled files have different quotes from their sources, and import some files without a name.
    for (const [, path] of text.matchAll(/(?: from|^import) ['"](\.[^'"]+)['"]/gm))
      pending.push(new URL(path!, file).href);
  }
  const hash = createHash('sha256');
  for (const file of [...texts.keys()].sort()) hash.update(texts.get(file)!);
  return hash.digest('hex').slice(0, 16);
}
