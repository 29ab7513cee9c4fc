import { createRequire } from 'node:module';

const manifest: { readonly version: string } = createRequire(import.meta.url)('../package.json');

/** The version of this package, as its manifest has it. */
export const version = manifest.version;
