import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';

const project = resolve(dirname(fileURLToPath(import.meta.url)), '..');

async function run(name: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--import=tsx', join('pipelines', name)], {
    cwd: project,
  });
  return stdout;
}

describe('the pipelines', () => {
  it('are pages of at most 40 lines', () => {
    for (const name of readdirSync(join(project, 'pipelines'))) {
      expect(
        readFileSync(join(project, 'pipelines', name), 'utf8')
          .trimEnd()
          .split('\n'),
        name,
      ).to.have.length.at.most(40);
    }
  });

  it('linear-heavy-tails: the median of means survives what the mean does not', async () => {
    const errors = [...(await run('linear-heavy-tails.ts')).matchAll(/error ([\d.]+)/g)].map(match =>
      Number(match[1]),
    );
    expect(errors[0]).to.be.above(1);
    expect(errors[1]).to.be.below(0.2);
  });

  it("custom-stage: a stage of the user's own clips every gradient", async () => {
    const printed = await run('custom-stage.ts');
    const gradients = [...printed.matchAll(/gradient ([\d.]+)/g)].map(match => Number(match[1]));
    expect(gradients).to.have.length(10);
    expect(Math.max(...gradients)).to.be.at.most(2);
    expect(Number(/error ([\d.]+)/.exec(printed)![1])).to.be.below(0.5);
  });

  it('flights: the robust fit of 3 million flights differs from least squares as it should', async () => {
    const printed = await run('flights.ts');
    const numbers = (name: string): number[] =>
      new RegExp(`${name}(.*)`).exec(printed)![1]!.trim().split(/\s+/).map(Number);
    // Least squares by an independent solver over all rows: -0.300 per 1,000 miles, 1.0045 per hour, -6.909 at midnight.
    const [distance, hour, constant] = numbers('least squares') as [number, number, number];
    expect(distance).to.be.closeTo(-0.3, 0.03);
    expect(hour).to.be.closeTo(1.005, 0.01);
    expect(constant).to.be.closeTo(-6.91, 0.1);
    // Delays are skewed: the robust line lies lower and rises half as fast.
    expect(numbers('robust fit')[1]).to.be.within(0.45, 0.6);
  }).timeout(120_000);
});
