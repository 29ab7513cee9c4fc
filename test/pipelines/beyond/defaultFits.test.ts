import { expect } from 'chai';
import { defaultFits } from '../../../pipelines/beyond/defaultFits.ts';
import { fitRows } from '../../../src/fit/fitRows.ts';
import { figureByName } from '../../../src/lab/paper/exhibits.ts';
import * as synthetic from '../../../src/lab/synthetic/figures.ts';
import type { Plan } from '../../../src/plan/plan.ts';
import { samplesOf } from '../../../src/sample/samples.ts';

const paperPlans = (figure: string, rows: number): Readonly<Record<string, Plan>> =>
  figureByName(figure).studies[0]!.readings[0]!.plans(rows);

describe('defaultFits', () => {
  it('is the plain estimate without its intercept, the same beside either method', async () => {
    const { batch } = synthetic.plot7(500, 1);
    const fitBeside = defaultFits('plot7', batch, 1);
    const { ACCFW, FW } = paperPlans('plot7', 500);
    const theta = await fitBeside(ACCFW!);
    expect(theta).to.deep.equal((await fitRows(samplesOf(batch))).fit.theta.slice(0, 10));
    expect(await fitBeside(FW!)).to.equal(theta);
  });

  it('is private at the epsilon of the plan, and keeps to plot1’s ball', async () => {
    const { batch } = synthetic.plot1(1000, 1);
    const fitBeside = defaultFits('plot1', batch, 1);
    const plans = paperPlans('plot1', 1000);
    const [half, more] = [await fitBeside(plans['FW eps=0.5']!), await fitBeside(plans['FW eps=0.9']!)];
    expect(half).not.to.deep.equal(more);
    for (const theta of [half!, more!]) {
      expect(Math.hypot(...theta)).to.be.within(0.05, 1 / (4 * Math.sqrt(10)) + 1e-12);
    }
  });

  it('is null where the private plan refuses', async () => {
    const fitOf = async (rows: number) => {
      const { batch } = synthetic.plot2(rows, 1);
      return defaultFits('plot2', batch, 1)(paperPlans('plot2', rows)['FW eps=0.5']!);
    };
    expect(await fitOf(20)).to.equal(null);
    expect(await fitOf(500)).to.have.length(3);
  });
});
