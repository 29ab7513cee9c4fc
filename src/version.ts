import { createRequire } from 'node:module';

// By name, so that it does not matter where in the package this file ends up.
const manifest: { readonly version: string } = createRequire(import.meta.url)('sluice/package.json');

/** The version of this package, as its manifest has it. */
export const version = manifest.version;
