#!/usr/bin/env node
/** Where `sluice` starts. A question after its version, which scripts ask often, loads nothing else. */
import { version } from '../version.ts';

const args = process.argv.slice(2);
if ((args[0] === '--version' || args[0] === '-V') && args.length === 1) process.stdout.write(`${version}\n`);
else await (await import('./program.ts')).run(args);
