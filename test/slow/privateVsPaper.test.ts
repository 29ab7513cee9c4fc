/** How near private fits come to the truth in the setting of the paper's third figure, n = 100,000 and delta = 1e-6: medians over 20 seeds. */
import { execFileSync } from 'node:child_process';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const project = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

describe('private-vs-paper', () => {
  it("keeps to its targets, where the paper's own noise leaves errors of 1.7 and 18", () => {
    const program = ['--import=tsx', 'pipelines/private-vs-paper.ts', '100000', '20'];
    const printed = execFileSync(process.execPath, program, { cwd: project, encoding: 'utf8' });
    const medians = printed.trim().split('\n').slice(1);
    const targets = [
      [0.9, 0.08, 0.13, 1.5],
      [0.1, 0.2, 0.36, 15],
    ] as const;
    expect(medians).to.have.length(targets.length);
    targets.forEach(([epsilon, full, fresh, paper], k) => {
      const [at, ...found] = medians[k]!.trim().split(/\s+/).map(Number);
      expect(at).to.equal(epsilon);
      expect(found[0]).to.be.at.most(full);
      expect(found[1]).to.be.at.most(fresh);
      expect(found[2]).to.be.at.least(paper);
    });
  });
});
