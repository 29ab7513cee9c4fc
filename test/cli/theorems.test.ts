import { expect } from 'chai';
import { catalogue } from '../../src/plan/theorem/catalogue.ts';
import { runCli } from '../support/runCli.ts';

describe('sluice theorems', () => {
  it('lists every theorem with its data, algorithm, T, claim and conditions', async () => {
    const { code, stdout } = await runCli(['theorems']);
    expect(code).to.equal(0);
    for (const { label, about } of catalogue()) {
      expect(stdout).to.match(new RegExp(`^${label.replace(/[+]/g, '.')}(, \\w+)?$`, 'm'));
      for (const words of [about.data, about.algorithm, about.steps, about.claim, ...about.conditions]) {
        expect(stdout).to.include(words);
      }
    }
  });

  it('shows one, by any of its names, with its arguments and where they come from', async () => {
    const { stdout } = await runCli(['theorems', 'agd']);
    expect(stdout).to.match(/^htAGD, AGD\n/);
    expect(stdout).to.match(/failureProbability +--failure +zeta/);
    expect(stdout).to.match(/strongConvexity +--given +tau_l, the smallest\n/);
    expect(stdout).not.to.include('UPRidge');
    const { stdout: json } = await runCli(['theorems', 'ERM_UP_C_Inc', '--json']);
    const [record] = JSON.parse(json);
    expect(record).to.include({ label: 'ERM_UP_C_Inc', private: true, function: 'theorems.ermUpCInc' });
    expect(record.conditions).to.include('n > (4 C1)^5 log^5(2/zeta)');
  });

  it('refuses a name that is none, with the list', async () => {
    const { code, stderr } = await runCli(['theorems', 'Pythagoras']);
    expect(code).to.equal(2);
    expect(stderr).to.include('theorem must be one of UPRidge');
  });
});
