#!/usr/bin/env node
import { version } from '../index.ts';

const help = `sluice ${version}: robust and private regression on Arrow and Parquet

This release is the mathematics, as a library: see README.md. The commands fit, plan, predict, evaluate and
inspect are not there yet.

  sluice --help       this text
  sluice --version    the version
`;

const [command] = process.argv.slice(2);
if (command === undefined || command === '--help' || command === '-h') {
  process.stdout.write(help);
} else if (command === '--version') {
  process.stdout.write(`${version}\n`);
} else {
  process.stderr.write(`sluice has no command ${JSON.stringify(command)} yet; see sluice --help\n`);
  process.exitCode = 2;
}
