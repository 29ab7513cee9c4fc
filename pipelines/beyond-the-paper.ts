// Better than the paper: on the data of each of the seven figures, the paper's plans, the same with geometric chunks, with preconditioning, with averaged iterates
// and with the least noise, and what Sluice does by default: tsx pipelines/beyond-the-paper.ts [--seeds 5] [--out docs/beyond-the-paper.md]
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { lastValueFrom, toArray } from 'rxjs';
import * as flow from '../src/flow/index.ts';
import * as sluice from '../src/index.ts';
import * as paper from '../src/lab/paper/index.ts';
import * as methods from '../src/method/index.ts';
import * as privacy from '../src/privacy/index.ts';
import { betterPlans } from './beyond/betterPlans.ts';
import { comparedSettings, errorMeasure, paperPlans } from './beyond/comparedSettings.ts';
import { comparisonPage } from './beyond/comparisonPage.ts';
import { defaultFits } from './beyond/defaultFits.ts';
import { tailAverage } from './beyond/tailAverage.ts';

const flags = { seeds: { type: 'string', default: '5' }, out: { type: 'string' } } as const;
const { seeds, out } = parseArgs({ options: flags }).values;
const runs: paper.Point[][] = [];
for (let seed = 0; seed < Number(seeds); seed++) {
  const points: paper.Point[] = [];
  for (const setting of comparedSettings) {
    const { figure, study, rows } = setting;
    console.error(`seed ${seed + 1} of ${seeds}: ${figure.name}, ${rows} rows …`);
    const { batch, truth } = study.sample(rows, seed);
    const error = errorMeasure(setting, batch, truth);
    const defaultFit = defaultFits(figure.name, batch, seed);
    for (const [name, plan] of Object.entries(paperPlans(setting))) {
      const series = `${figure.name}, ${name}`;
      const add = (reading: string, theta: methods.Vector) =>
        points.push({ reading, series, x: rows, value: error(theta) });
      const descent = async (plan: sluice.Plan) => {
        const noise = privacy.simulatedGaussian(sluice.seeded(seed, `${series}, ${rows}`));
        const iterates = paper.iteratesOf(plan, flow.samplesOf(batch), noise).pipe(toArray());
        return (await lastValueFrom(iterates)).map(({ theta }) => theta);
      };
      const thetas = await descent(plan);
      add('nothing', methods.zeros(plan.features));
      add('paper', thetas.at(-1)!);
      add('averaged', tailAverage(thetas));
      for (const [change, better] of Object.entries(betterPlans(plan, batch)))
        add(change, (await descent(better)).at(-1)!);
      const found = await defaultFit(plan);
      if (found !== null) add('default', found);
    }
  }
  runs.push(points);
}
writeFileSync(out ?? process.stdout.fd, comparisonPage(runs));
