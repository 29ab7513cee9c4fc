import { expect } from 'chai';
import { Command } from 'commander';
import { type AuditFlags, auditCommand, auditPlan, renderAudit } from '../../src/cli/commands/auditCommand.ts';
import { addFitFlags, type FitFlags } from '../../src/cli/flags/fitFlags.ts';
import { auditPrivate } from '../../src/lab/audit/auditPrivate.ts';
import { privatePipeline } from '../../src/lab/audit/privatePipeline.ts';
import { auditedPlan } from '../support/auditPlans.ts';

/** What a command prints, and the code it would leave with. */
async function printed(command: () => Promise<void>): Promise<{ text: string; code: unknown }> {
  const { write } = process.stdout;
  const before = process.exitCode;
  let text = '';
  process.stdout.write = (chunk: string | Uint8Array) => {
    text += chunk;
    return true;
  };
  try {
    process.exitCode = undefined;
    await command();
    return { text, code: process.exitCode };
  } finally {
    process.stdout.write = write;
    process.exitCode = before;
  }
}

describe('sluice audit', () => {
  const plan = auditedPlan({ calibration: 'parallel' }, 100_000);

  it('audits a plan of many rows over few, and prints what it measured beside what is declared', async () => {
    const { text, code } = await printed(() => auditPlan(plan, { pairs: '100', draws: '2000' }));
    expect(code).to.equal(undefined);
    expect(text).to.match(/^parallel noise, nesterov, 3 steps of 1 block: \d+ runs over \d\d synthetic rows/);
    expect(text).to.match(/sensitivity +[\d.]+ of 186031 grid steps, over \d+ neighbouring pairs\n/);
    expect(text).to.match(/blocks moved +1 of 1 by one unit, over 3 releases\n/);
    expect(text).to.match(
      /mu +at least [\d.]+, the ledger charges 0\.17741\d(; give more --draws for a sharper bound)?\n/,
    );
    expect(text).to.match(/epsilon +at least [\d.]+, the ledger charges 0\.9, at delta 1e-8\n/);
    expect(text).to.include('passed: no violation');
  });

  it('prints the same as one JSON document', async () => {
    const { text } = await printed(() => auditPlan(plan, { pairs: '100', draws: '100', json: true }));
    expect(JSON.parse(text)).to.deep.include({ passed: true, breaches: [], draws: 100 });
  });

  it('draws as often as it is told, also where blocks make every draw long @slow', async () => {
    const blocks = auditedPlan({ aggregate: 'median-of-means', blocks: 40, steps: 30, mode: 'full' }, 100_000);
    const { text } = await printed(() => auditPlan(blocks, { pairs: '60', draws: '600', json: true }));
    // Untold it stops at 2e6 numbers of noise, which is 555 draws here.
    expect(JSON.parse(text)).to.deep.include({ passed: true, draws: 600 });
  });

  it('audits the plan of the theorem that fit would run, and refuses what is no private run', async () => {
    const flags = addFitFlags(new Command())
      .exitOverride()
      .requiredOption('--target <column>')
      .option('--pairs <k>')
      .option('--draws <k>');
    const audit = (...given: readonly string[]) =>
      printed(() => {
        const asked = flags.parse([...given, '--pairs', '50', '--draws', '100'], { from: 'user' });
        return auditCommand(asked.opts<FitFlags & AuditFlags>());
      });
    const bounds = ['--target', 'y', '--rows', '20000', '--epsilon', '0.9', '--delta', '1e-6'];
    const refusal = (...more: readonly string[]): Promise<string> =>
      audit(...bounds, '--bounds', 'a:-1..1,b:-1..1,y:-1..1', ...more).then(
        ({ text }) => text,
        (error: Error) => error.message,
      );
    expect(await refusal('--theorem', 'nosuch')).to.include('nosuch');
    expect(await refusal('--given', 'smoothness=1')).to.include('--theorem');
    expect(await refusal('--seed', '1')).to.include('NOT PRIVATE (seeded)');
  });

  it('refuses numbers that are none', async () => {
    const error = await auditPlan(plan, { pairs: 'many' }).catch((reason: Error) => reason);
    expect(error).to.have.property('message').that.includes('--pairs');
  });

  it('says in plain words what failed', async () => {
    const small = auditedPlan({ calibration: 'parallel' });
    const unwatched = await auditPrivate(samples => privatePipeline(small)(samples, same => same), small);
    expect(renderAudit(unwatched, plan)).to.include(
      'FAILED, no mechanism: the pipeline never asked its watched mechanism for a release',
    );
  });

  it('says that draws were too few to tell of the noise', async () => {
    const small = auditedPlan({ calibration: 'parallel' });
    const report = await auditPrivate(privatePipeline(small), small, { pairs: 5, draws: 1 });
    const text = renderAudit(report, small);
    expect(text)
      .to.include(', 1 draw of the noise\n')
      .and.to.match(/noise +undetermined \(too few draws\), declared/);
  });
});
