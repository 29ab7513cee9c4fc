import { expect } from 'chai';
import { renderFit } from '../../../src/cli/render/renderFit.ts';
import { plainReport, privateReport } from '../../support/reportModels.ts';

describe('renderFit', () => {
  it('shows tests, intervals, the held-out loss and notes where the model has them', () => {
    expect(renderFit(plainReport).split('\n')).to.deep.equal([
      'delay on 5 features, pseudo-huber(1.5) loss',
      '',
      '                    estimate   std. error       z       p                  95 % interval',
      '  distance         0.012100      0.000200   60.50  <1e-16     0.011708  ..     0.012492',
      '  hour            -1.2500        0.0300    -41.67  <1e-16    -1.3088    ..    -1.1912',
      '  weekday          0.0400        0.0800      0.50   0.617    -0.1168    ..     0.1968',
      '  town=Bath    12346          3000           4.12  3.9e-5  6466         .. 18226',
      '  share            2.5000e-8     4.00e-10   62.50  <1e-16     2.4216e-8 ..     2.5784e-8',
      '  (intercept)     -7.500         0.500     -15.00  <1e-16    -8.480     ..    -6.520',
      '',
      'intervals at 95 % each, from the spread of the blocks; 2.6 standard errors cover all jointly',
      '15000 of 16543 rows in 5 steps (fresh, newton), 1000 in the pilot, 543 left over; 12 rows are invalid and contribute nothing, so that 16531 of 16543 rows are usable; not private',
      'on 500 rows held out: mean loss 0.8125',
      'note: rows are sorted by day',
      '… and 1 choice of the run: --verbose shows all',
      '',
    ]);
  });

  it('writes out control characters in names', () => {
    const odd = {
      ...plainReport,
      target: 'de\nlay',
      features: ['ho\x1bur'],
      coefficients: { 'ho\x1bur': 1 },
      notes: ['"a\x9bb" is text'],
    };
    const shown = renderFit(odd);
    expect(shown).to.match(/^de\\nlay on 1 feature/);
    expect(shown).to.include('  ho\\u001bur ').and.include('note: "a\\u009bb" is text\n');
  });

  it('speaks of one feature, one row and one step as such', () => {
    const { steps, rows, coefficients } = plainReport;
    const one = {
      ...plainReport,
      features: ['hour'],
      coefficients: { hour: coefficients.hour! },
      steps: steps.slice(0, 1),
      rows: { ...rows, read: 1, used: 1 },
    };
    expect(renderFit(one))
      .to.match(/^delay on 1 feature, /)
      .and.include('1 of 1 row in 1 step (');
  });

  it('leaves them out where the model has none', () => {
    const { uncertainty: _u, holdout: _h, choices: _c, notes: _n, ...bare } = privateReport;
    expect(renderFit(bare).split('\n').slice(9)).to.deep.equal([
      '',
      '15000 of 15000 rows in 30 steps (full, nesterov), 0 left over, exact noise for gradients of norm 0.35',
      '(1, 0.000001)-differentially private for replacing all rows of one person; mu 0.2367, rho 0.028',
      '',
    ]);
  });

  it('shows five notes, those first by which the numbers cannot be relied on, and all with --verbose', () => {
    const notes = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const model = { ...plainReport, notes, severeNotes: [5], choices: ['one', 'two'] };
    const endOf = (text: string): readonly string[] => text.trimEnd().split('\n').slice(12);
    expect(endOf(renderFit(model))).to.deep.equal([
      'on 500 rows held out: mean loss 0.8125',
      'do not take these numbers as they stand:',
      ...['f', 'a', 'b', 'c', 'd'].map(note => `note: ${note}`),
      '… and 2 more notes and 2 choices of the run: --verbose shows all',
    ]);
    expect(endOf(renderFit(model, { verbose: true })).slice(1)).to.deep.equal([
      'chosen: one',
      'chosen: two',
      'do not take these numbers as they stand:',
      ...['f', 'a', 'b', 'c', 'd', 'e', 'g'].map(note => `note: ${note}`),
    ]);
  });

  it('shows how well the estimate fits, on the rows of the pilot unless some were held out', () => {
    const quality = { rows: 900, residualScale: 1.25, robustR2: 0.875 };
    const { holdout: _, ...model } = plainReport;
    const line = 'on 900 rows of the pilot: residual scale 1.25; robust R2 0.875\n';
    expect(renderFit(model, { quality })).to.include(line);
    expect(renderFit(plainReport, { quality })).not.to.include('of the pilot:');
    expect(renderFit(model)).not.to.include('of the pilot:');
  });

  it('breaks lines between words to fit a terminal', () => {
    const lines = renderFit(plainReport, { width: 60 }).split('\n');
    expect(Math.max(...lines.map(line => line.length))).to.be.at.most(60);
    expect(lines.join(' ').replaceAll(/ +/g, ' ')).to.include('contribute nothing, so that 16531 of');
  });
});
