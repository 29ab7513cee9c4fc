import { expect } from 'chai';
import { Command } from 'commander';
import { addFitFlags, type FitFlags } from '../../../src/cli/flags/fitFlags.ts';
import { privateOptions } from '../../../src/cli/flags/privateOptions.ts';
import { inFlags } from '../../../src/cli/render/inFlags.ts';
import { privateWarnings } from '../../../src/fit/index.ts';
import { runCli } from '../../support/runCli.ts';

const flagsOf = (...args: readonly string[]): FitFlags =>
  addFitFlags(new Command()).option('--target <column>').parse(args, { from: 'user' }).opts<FitFlags>();

const told = (...args: readonly string[]): readonly string[] =>
  privateWarnings(
    privateOptions(flagsOf('--target', 'y', '--epsilon', '1', '--delta', '1e-6', '--bounds', 'x:0..1,y:0..9', ...args)),
  ).map(inFlags);

describe('warnings of private runs', () => {
  it('are none for a usual request', () => {
    expect(told()).to.deep.equal([]);
  });

  it('say of an epsilon above 10 that it guarantees almost nothing', () => {
    for (const epsilon of ['0.1', '3', '10']) expect(told('--epsilon', epsilon)).to.deep.equal([]);
    for (const epsilon of ['10.5', '25'])
      expect(told('--epsilon', epsilon)[0]).to.match(
        new RegExp(`^--epsilon ${epsilon} guarantees almost nothing: .* e\\^${epsilon} times`),
      );
  });

  it('say of targets declared as 0..1 what their classes and shares are in need of, unless the loss is for them', () => {
    const classes = (...args: readonly string[]) => told('--bounds', 'x:0..1,y:0..1', ...args);
    for (const loss of [[], ['--loss', 'pseudo-huber'], ['--loss', 'pseudo-huber:0.3']]) {
      expect(classes(...loss)).to.have.length(1);
      expect(classes(...loss)[0]).to.match(
        /^y is declared as 0\.\.1: if it is a class, 0 or 1, the pseudo-huber loss does not estimate a mean, .*; use --loss logistic\. If it is a share, --loss squared/,
      );
    }
    expect(classes('--loss', 'logistic')).to.deep.equal([]);
    expect(classes('--loss', 'squared', '--radius', '2', '--set', 'l2')).to.deep.equal([]);
    for (const other of ['0..2', '-1..1', '0.1..1']) expect(told('--bounds', `x:0..1,y:${other}`)).to.deep.equal([]);
    expect(told('--bounds', 'x:0..1', '--loss', 'logistic')).to.deep.equal([]);
  });

  it('say when levels and the intercept would say the same twice, which levels that are not declared would prevent', () => {
    const [warning, ...more] = told('--categorical', 'town=Bath|Lyon');
    expect(more).to.deep.equal([]);
    expect(warning).to.match(/^if every row has one of the 2 levels declared for town, .* leave one of them out/);
    expect(warning).to.include('If there are other levels, the coefficients are differences from those');
    expect(told('--categorical', 'town=Bath')).to.deep.equal([]);
    expect(told('--categorical', 'town=Bath|Lyon', '--no-intercept')).to.deep.equal([]);
  });

  it('come on standard error, in fit and plan, and in the notes of the model; --quiet leaves them out', async () => {
    const rows = Array.from({ length: 2000 }, (_, i) => `${(i % 7) / 7},${i % 2}`);
    const usual = ['--target', 'y', '--epsilon', '25', '--delta', '1e-6', '--bounds', 'x:0..1,y:0..1'];
    const fit = ['fit', '-', ...usual, '--rows', '2000', '--json'];
    const [fitted, planned, quiet] = await Promise.all([
      runCli(fit, `x,y\n${rows.join('\n')}\n`),
      runCli(['plan', ...usual, '--rows', '2000']),
      runCli(['plan', ...usual, '--rows', '2000', '--quiet']),
    ]);
    const warnings = told('--epsilon', '25', '--bounds', 'x:0..1,y:0..1');
    expect(warnings).to.have.length(2);
    const lines = warnings.map(warning => `sluice: ${warning}\n`).join('');
    expect(fitted.stderr).to.include(lines);
    expect(JSON.parse(fitted.stdout).notes).to.include.members([...warnings]);
    expect(planned.stderr).to.equal(lines);
    expect(quiet.stderr).to.equal('');
  });
});
