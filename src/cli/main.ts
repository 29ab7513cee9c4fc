#!/usr/bin/env node
/** Where `sluice` starts. A question after its version, which scripts ask often, loads nothing else. */
import { version } from '../version.ts';

const [first, ...others] = process.argv.slice(2);
if ((first === '--version' || first === '-V') && others.length === 0) process.stdout.write(`${version}\n`);
else await import('./program.ts');
