import { expect } from 'chai';
import { Command } from 'commander';
import { addFitFlags, type FitFlags } from '../../src/cli/fitFlags.ts';
import { warningsOf } from '../../src/cli/privateWarnings.ts';
import { runCli } from '../support/runCli.ts';

const flagsOf = (...args: readonly string[]): FitFlags =>
  addFitFlags(new Command()).option('--target <column>').parse(args, { from: 'user' }).opts<FitFlags>();

const told = (...args: readonly string[]): readonly string[] =>
  warningsOf(flagsOf('--target', 'y', '--epsilon', '1', '--bounds', 'x:0..1,y:0..9', ...args));

describe('warnings of private runs', () => {
  it('are none for a usual request', () => {
    expect(told()).to.deep.equal([]);
  });

  it('say of an epsilon above 10 that it promises next to nothing', () => {
    for (const epsilon of ['0.1', '3', '10']) expect(told('--epsilon', epsilon)).to.deep.equal([]);
    for (const epsilon of ['10.5', '25'])
      expect(told('--epsilon', epsilon)[0]).to.match(
        new RegExp(`^at --epsilon ${epsilon} the promise says next to nothing: .* e\\^${epsilon} times`),
      );
  });

  it('come on standard error, in fit and plan, and in the notes of the model; --quiet leaves them out', async () => {
    const lines = Array.from({ length: 2000 }, (_, i) => `${(i % 7) / 7},${(i % 5) + (i % 7)}`);
    const usual = ['--target', 'y', '--epsilon', '25', '--delta', '1e-6', '--bounds', 'x:0..1,y:0..12'];
    const fit = ['fit', '-', ...usual, '--rows', '2000', '--json'];
    const [fitted, planned, quiet] = await Promise.all([
      runCli(fit, `x,y\n${lines.join('\n')}\n`),
      runCli(['plan', ...usual, '--rows', '2000']),
      runCli(['plan', ...usual, '--rows', '2000', '--quiet']),
    ]);
    const [warning] = told('--epsilon', '25');
    expect(fitted.stderr).to.include(`sluice: ${warning}\n`);
    expect(JSON.parse(fitted.stdout).notes).to.include(warning);
    expect(planned.stderr).to.equal(`sluice: ${warning}\n`);
    expect(quiet.stderr).to.equal('');
  });
});
