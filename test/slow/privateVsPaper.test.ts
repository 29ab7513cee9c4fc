/**
 * How near private fits come to the truth in the setting of the paper's third figure, n = 100,000 and delta = 1e-6:
 * medians over 20 seeds.
 */
import { execFileSync } from 'node:child_process';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const project = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

describe('private-vs-paper', () => {
  it("keeps to its targets, where the paper's own noise leaves errors of 1.7 and 18", () => {
    const program = ['--import=tsx', 'pipelines/private-vs-paper.ts', '100000', '20'];
    const printed = execFileSync(process.execPath, program, { cwd: project, encoding: 'utf8' });
    const median = (series: string, epsilon: number): number =>
      Number(new RegExp(`^${series} +${epsilon} +([\\d.]+)`, 'm').exec(printed)![1]);
    const targets = [
      [0.9, 0.08, 0.13, 1.5],
      [0.1, 0.2, 0.36, 15],
    ] as const;
    for (const [epsilon, full, fresh, paper] of targets) {
      expect(median('full, exact', epsilon)).to.be.at.most(full);
      expect(median('fresh, parallel', epsilon)).to.be.at.most(fresh);
      expect(median('paper', epsilon)).to.be.at.least(paper);
    }
  });
});
