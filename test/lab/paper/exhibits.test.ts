import { expect } from 'chai';
import { exhibitByName, exhibits } from '../../../src/lab/paper/exhibits.ts';
import { figureReport } from '../../../src/lab/paper/figureReport.ts';

describe('the exhibits', () => {
  it('are the seven figures and four experiments beside them', () => {
    expect(exhibits().map(({ name }) => name)).to.deep.equal([
      ...['plot1', 'plot2', 'plot3', 'plot4', 'plot5', 'plot6', 'plot7'],
      ...['private-sgd', 'contamination', 'lower-bound', 'rates'],
    ]);
    expect(() => exhibitByName('plot8')).to.throw('figure must be one of plot1, plot2');
  });

  it('begin with a primary reading and say how much work they are', () => {
    for (const { name, readings, work } of exhibits()) {
      expect(readings[0]!.name, name).to.equal('primary');
      expect(work, name).to.be.above(1e6);
      for (const reading of readings) expect(reading.name).to.match(/^[^",\n]+$/);
    }
  });
});

for (const name of ['private-sgd', 'contamination', 'lower-bound', 'rates']) {
  describe(`exhibit ${name}`, () => {
    const exhibit = exhibitByName(name);

    const tag = name === 'lower-bound' ? '' : ' @slow';
    it(`tells of the work it announced, has every series of its claim, repeats itself and gives one reading alone${tag}`, async () => {
      let done = 0;
      const points = await exhibit.run(0, {
        onWork: work => {
          done += work;
        },
      });
      expect(done).to.equal(exhibit.work);
      const series = new Set(points.map(point => point.series));
      for (const { lower, upper } of exhibit.claim.comparisons) {
        expect([...series]).to.include.members([lower, upper]);
      }
      expect(new Set(points.map(({ reading }) => reading))).to.deep.equal(
        new Set(exhibit.readings.map(reading => reading.name)),
      );
      const reading = 'primary';
      expect(await exhibit.run(0, { reading })).to.deep.equal(points.filter(point => point.reading === reading));
      const { judgements, rates, charts } = await figureReport(exhibit, [points]);
      expect(judgements.map(judgement => judgement.reading)).to.deep.equal(exhibit.readings.map(({ name }) => name));
      expect(rates.every(({ slope }) => Number.isFinite(slope))).to.equal(true);
      expect(charts.primary).to.include(exhibit.title);
    });
  });
}
