import { expect } from 'chai';
import { betterPlans } from '../../../pipelines/beyond/betterPlans.ts';
import { descendArrays } from '../../../src/lab/paper/descendArrays.ts';
import { figureByName } from '../../../src/lab/paper/exhibits.ts';
import * as synthetic from '../../../src/lab/synthetic/figures.ts';
import { distance, type Vector } from '../../../src/math/vector.ts';
import type { Plan } from '../../../src/plan/plan.ts';
import { sampleBatch } from '../../../src/sample/sampleBatch.ts';

const paperPlan = (figure: string, rows: number, series: string): Plan =>
  figureByName(figure).studies[0]!.readings[0]!.plans(rows)[series]!;
const none = sampleBatch([new Float64Array(1)], new Float64Array(1));

describe('betterPlans', () => {
  it('lets chunks grow over all rows, with the rule, steps and blocks of the plan', () => {
    const plan = paperPlan('plot5', 20_000, 'GD');
    const { geometric } = betterPlans(plan, synthetic.plot5(200, 0).batch);
    expect(geometric!.rule).to.equal(plan.rule);
    expect(geometric!.steps.map(({ blocks }) => blocks)).to.deep.equal(plan.steps.map(({ blocks }) => blocks));
    const chunks = geometric!.steps.map(({ rows }) => rows);
    expect(chunks.reduce((sum, rows) => sum + rows, 0)).to.equal(20_000);
    expect(chunks).to.deep.equal(chunks.toSorted((a, b) => a - b));
    expect(chunks.at(-1)).to.be.above(2 * plan.steps[0]!.rows);
  });

  it('keeps the paper’s noise formula for chunks that grow', () => {
    const plan = paperPlan('plot3', 10_000, 'GD eps=0.9');
    const { geometric } = betterPlans(plan, none);
    expect(geometric!.privacy).to.deep.equal(plan.privacy);
    const noiseOfSum = ({ steps }: Plan): number[] => steps.map(({ release, rows }) => release!.sigma * rows);
    for (const sigma of noiseOfSum(geometric!)) expect(sigma).to.be.closeTo(noiseOfSum(plan)[0]!, 1e-9);
  });

  it('asks for less noise with the same epsilon and delta', () => {
    for (const [figure, series] of [
      ['plot1', 'ACCFW eps=0.5'],
      ['plot3', 'AGD eps=0.1'],
    ] as const) {
      const plan = paperPlan(figure, 1000, series);
      const less = betterPlans(plan, none)['least noise']!;
      const { epsilon, delta } = plan.privacy!;
      expect(less.privacy).to.include({ epsilon, delta });
      expect(less.steps.map(({ rows }) => rows)).to.deep.equal(plan.steps.map(({ rows }) => rows));
      expect(less.steps[0]!.release!.sigma).to.be.below(plan.steps[0]!.release!.sigma / 2);
    }
  });

  it('preconditions so that a step over all rows with one block ends at least squares, whatever the units', () => {
    const { batch } = synthetic.plot7(1000, 'units');
    const columns = batch.columns.map((column, j) => column.map(value => value * 10 ** (j % 4)));
    const data = sampleBatch(columns, batch.target);
    const plan = { ...paperPlan('plot4', 1000, 'GD n=1000'), features: 10, start: new Float64Array(10) };
    const oneBlock = plan.steps.map(step => ({ ...step, blocks: 1, rowsPerBlock: 1000 }));
    const { preconditioned } = betterPlans({ ...plan, steps: oneBlock }, data);
    const iterates = descendArrays(data, preconditioned!).map(({ theta }): Vector => theta);
    expect(distance(iterates[0]!, iterates[1]!)).to.be.above(1);
    expect(distance(iterates[1]!, iterates.at(-1)!)).to.be.below(1e-9);
  });

  it('has no chunks to grow in a full batch, and no coordinates to change over a ball or in private', () => {
    expect(betterPlans(paperPlan('plot7', 500, 'ACCFW'), none)).to.deep.equal({});
    expect(betterPlans(paperPlan('plot1', 500, 'FW eps=0.5'), none)).to.have.all.keys('least noise');
    expect(betterPlans(paperPlan('plot3', 1000, 'GD eps=0.1'), none)).to.have.all.keys('geometric', 'least noise');
  });
});
