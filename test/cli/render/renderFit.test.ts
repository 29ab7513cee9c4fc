import { expect } from 'chai';
import { renderFit } from '../../../src/cli/render/renderFit.ts';
import { plainReport, privateReport } from '../../support/reportModels.ts';

describe('renderFit', () => {
  it('shows intervals, the held-out loss, choices and notes where the model has them', () => {
    expect(renderFit(plainReport).split('\n')).to.deep.equal([
      'delay on 5 features, pseudo-huber(1.5) loss',
      '',
      '  distance      0.0121    0.011708 .. 0.012492',
      '  hour         -1.25     -1.3088 .. -1.1912',
      '  weekday       0.04     -0.1168 .. 0.1968',
      '  town=Bath     12345.6   6465.6 .. 18225.6',
      '  share         2.5e-8    2.4216e-8 .. 2.5784e-8',
      '  (intercept)  -7.5      -8.48 .. -6.52',
      '',
      'intervals at 95 % each, from the spread of the blocks; 2.6 standard errors cover all jointly',
      '15000 of 16543 rows in 5 steps (fresh, newton), 1000 in the pilot, 543 left over; 12 rows are invalid and contribute nothing, so that 16531 of 16543 rows are usable; not private',
      'on 500 rows held out: mean loss 0.8125',
      'chosen: pseudo-Huber loss, for the tails are heavy',
      'note: rows are sorted by day',
      '',
    ]);
  });

  it('writes out control characters in names', () => {
    const odd = {
      ...plainReport,
      target: 'de\nlay',
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
    expect(renderFit(bare).split('\n').slice(8)).to.deep.equal([
      '',
      '15000 of 15000 rows in 30 steps (full, nesterov), 0 left over, exact noise for gradients of norm 0.35',
      '(1, 0.000001)-differentially private for replacing all rows of one person; mu 0.2367, rho 0.028',
      '',
    ]);
  });
});
