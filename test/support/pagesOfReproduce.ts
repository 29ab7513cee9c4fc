import { expect } from 'chai';
import { exhibitByName, figureByName } from '../../src/lab/paper/exhibits.ts';
import { runFigure } from '../../src/lab/paper/runFigure.ts';
import { runPage, tableOfPage } from './runPage.ts';

/** One figure and one exhibit show in the fast suite that pages run what the command does; the others in the slow one. */
const tagOf = (name: string): string => (name === 'plot1' || name === 'lower-bound' ? '' : ' @slow');

/** The page of an exhibit prints what `sluice reproduce` finds, of at least so many points. */
export function runsExhibit(name: string, least: number): void {
  it(`${name}: the page runs what \`sluice reproduce\` runs${tagOf(name)}`, async () => {
    const shown = await tableOfPage(`${name}.ts`);
    const points = await exhibitByName(name).run(0, { reading: 'primary' });
    const known = points.filter(({ series, x }) => shown.has(`${series} at ${x}`));
    expect(known.length).to.be.at.least(least);
    for (const { series, x, value } of known) {
      expect(shown.get(`${series} at ${x}`), `${series} at ${x}`).to.be.closeTo(value, 1e-4);
    }
  });
}

/** The page of a figure prints what `sluice reproduce` finds. */
export function runsFigure(name: string): void {
  it(`${name}: the page runs what \`sluice reproduce\` runs${tagOf(name)}`, async () => {
    const figure = figureByName(name);
    const [, ...lines] = (await runPage(`${name}.ts`, '1')).trimEnd().split('\n');
    const shown = lines.map(line => /^(.*?) +(\d+) +(-?[\d.]+)/.exec(line)!.slice(1));
    const sizes = figure.studies[0]!.sizes.filter(
      size => figure.overSteps || shown.some(([, x]) => Number(x) === size),
    );
    const points = await runFigure(figure, 0, { reading: 'primary', sizes });
    expect(shown.length).to.be.at.least(4);
    for (const [series, x, value] of shown) {
      const point = points.find(point => point.series === series && point.x === Number(x));
      expect(Number(value), `${series} at ${x}`).to.be.closeTo(point!.value, 1e-4);
    }
  });
}

/** Figures whose pages take long, which the slower suite runs. */
export const slowFigures: readonly string[] = ['plot2', 'plot6'];
