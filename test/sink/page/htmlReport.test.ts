import { expect } from 'chai';
import { parseHTML } from 'linkedom';
import type { Model } from '../../../src/model/model.ts';
import { htmlReport } from '../../../src/sink/page/htmlReport.ts';
import { modelOf } from '../../support/modelOf.ts';
import { plainReport, privateReport, theoremReport } from '../../support/reportModels.ts';

/** As much of a page's elements as is looked at here; the compiler knows no browser. */
interface Element {
  readonly textContent: string;
  getAttribute(name: string): string | null;
  querySelector(selector: string): Element | null;
  querySelectorAll(selector: string): Iterable<Element>;
}

const pageOf = async (model: Model): Promise<Element> =>
  (parseHTML(await htmlReport(model)) as unknown as { readonly document: Element }).document;

const all = (page: Element, selector: string): Element[] => [...page.querySelectorAll(selector)];
const words = (element: Element | null): string => element!.textContent.replace(/\s+/g, ' ').trim();
const sectionOf = (page: Element, id: string): Element | null => page.querySelector(`section[aria-labelledby="${id}"]`);
const valuesIn = (element: Element): number[] => all(element, 'data').map(data => Number(data.getAttribute('value')));

describe('htmlReport', () => {
  it('states the result and has every coefficient with its interval and error, in full and to be read', async () => {
    const page = await pageOf(plainReport);
    expect(words(page.querySelector('h1'))).to.equal(
      'delay rises with share, distance and town=Bath, and falls with hour',
    );
    expect(words(page.querySelector('title'))).to.equal(words(page.querySelector('h1')));
    const { coefficients, intercept, uncertainty } = plainReport;
    const expected = Object.entries({ ...coefficients, '(intercept)': intercept! }).map(([name, value]) => [
      name,
      value,
      ...uncertainty!.intervals[name]!,
      uncertainty!.errors[name],
    ]);
    const rows = all(sectionOf(page, 'coefficients')!, 'tbody tr');
    expect(rows.map(row => [words(row.querySelector('th')), ...valuesIn(row)])).to.deep.equal(expected);
    expect(words(rows[0]!.querySelector('.number'))).to.equal('0.01210 0.01171 to 0.01249');
    expect(words(rows[4]!.querySelector('.number'))).to.equal('2.5 × 10⁻⁸ 2.4216 × 10⁻⁸ to 2.5784 × 10⁻⁸');
  });

  it('draws a strip for each, filled where the direction is clear', async () => {
    const strips = all(sectionOf(await pageOf(plainReport), 'coefficients')!, 'tbody svg');
    expect(strips.map(strip => strip.getAttribute('class'))).to.deep.equal(
      ['clear', 'clear', 'unclear', 'clear', 'clear', 'clear'].map(kind => `strip ${kind}`),
    );
    expect(strips[1]!.getAttribute('aria-label')).to.equal('hour: −1.25, from −1.309 to −1.191; clearly below zero');
  });

  it('is complete without any of the optional fields, and says that intervals are missing', async () => {
    const page = await pageOf({ ...modelOf([1.5, -0.25], { intercept: 3 }), steps: [] });
    expect(words(page.querySelector('h1'))).to.equal('y, fitted on x0 and x1');
    const coefficients = sectionOf(page, 'coefficients')!;
    expect(valuesIn(coefficients)).to.deep.equal([1.5, -0.25, 3]);
    expect(words(coefficients)).to.include('This model has no intervals');
    expect(all(page, 'svg')).to.deep.equal([]);
    for (const id of ['notes', 'holdout']) expect(sectionOf(page, id), id).to.equal(null);
  });

  it('copes with intervals that a file could not hold', async () => {
    const model = JSON.parse(
      JSON.stringify({
        ...plainReport,
        uncertainty: {
          ...plainReport.uncertainty,
          errors: { ...plainReport.uncertainty!.errors, hour: Infinity },
          intervals: { ...plainReport.uncertainty!.intervals, hour: [-Infinity, Infinity] },
        },
      }),
    );
    const page = await pageOf(model);
    expect(words(all(sectionOf(page, 'coefficients')!, 'tbody tr')[1]!)).to.equal('hour−1.25 unknown–');
    expect(words(page.querySelector('h1'))).not.to.include('hour');
  });

  it('calls columns that say nothing of their own left out, with intervals and without', async () => {
    const { uncertainty, ...bare } = plainReport;
    const { hour: _, ...coefficients } = plainReport.coefficients;
    const { hour: _error, ...errors } = uncertainty!.errors;
    const { hour: _interval, ...intervals } = uncertainty!.intervals;
    const given = { coefficients: { ...coefficients, hour: 0 }, leftOut: ['hour'] };
    const hourOf = async (model: Model): Promise<string> =>
      words(all(sectionOf(await pageOf(model), 'coefficients')!, 'tbody tr')[1]!);
    const known = { ...plainReport, ...given, uncertainty: { ...uncertainty!, errors, intervals } };
    expect(await hourOf(known)).to.equal('hourleft out–');
    expect(await hourOf({ ...bare, ...given })).to.equal('hourleft out');
  });

  it('warns above the coefficients where notes say that the estimate does not hold', async () => {
    const severe = "the rows look sorted, and neither the estimate nor its intervals are valid; use `order: 'shuffle'`";
    const page = await pageOf({
      ...plainReport,
      notes: [...plainReport.notes!, severe],
      severeNotes: [plainReport.notes!.length],
    });
    const text = words(page.querySelector('body'));
    expect(words(page.querySelector('.warning'))).to.include('The rows look sorted, and neither');
    expect(text.indexOf('neither the estimate')).to.be.below(text.indexOf('Coefficients'));
    expect(words(sectionOf(page, 'notes')))
      .to.include('sorted by day')
      .and.not.include('neither');
    expect((await pageOf(plainReport)).querySelector('.warning')).to.equal(null);
  });

  it('calls losses, their parameters and measures by the names that people and the help have', async () => {
    const page = await pageOf({
      ...plainReport,
      loss: { name: 'tukey', parameter: 3.25 },
      holdout: { rows: 10, auc: 0.75, r2: 0.5, brier: 0.25, medianAbsolute: 2 },
    });
    expect(words(page.querySelector('.overview'))).to.include('Tukey c = 3.25');
    expect(words(sectionOf(page, 'plan'))).to.include('LossTukey, c = 3.25');
    expect(words(sectionOf(page, 'holdout'))).to.equal(
      'On rows that no step saw Rows10 AUC0.75 R²0.5 Brier score0.25 Median absolute2',
    );
    const counts = await pageOf({ ...plainReport, loss: { name: 'poisson' } });
    expect(words(sectionOf(counts, 'plan'))).to.include('LossPoisson ');
  });

  it('says in words what became of the pilot, and rounds what sampling makes', async () => {
    const planOf = async (plan: Model['plan']): Promise<string> =>
      words(sectionOf(await pageOf({ ...plainReport, plan: { ...plainReport.plan, ...plan } }), 'plan'));
    const shared = await planOf({ sharesPilot: true, samplingNorm: 0.027429660252769234 });
    expect(shared).to.include('Rows of the pilot1,000, which the steps use again');
    expect(shared)
      .to.match(/sampling error alone ?0\.02743(?!\d)/)
      .and.not.match(/shares/i);
    expect(await planOf({ sharesPilot: false })).to.include('1,000, which no step uses again');
    expect(await planOf({ pilotRows: 0, sharesPilot: false })).to.include('Rows of the pilotnone');
  });

  it('tells of held-out rows, notes, choices, rows and the version', async () => {
    const page = await pageOf(plainReport);
    expect(valuesIn(sectionOf(page, 'holdout')!)).to.deep.equal([500, 0.8125]);
    expect(words(sectionOf(page, 'notes'))).to.include('rows are sorted by day');
    expect(words(sectionOf(page, 'plan'))).to.include('pseudo-Huber loss, for the tails are heavy');
    expect(words(sectionOf(page, 'rows'))).to.equal(
      'Rows Read16,543 Used by steps15,000 Used by the pilot1,000 Left over543 Invalid12 Usable16,531',
    );
    expect(words(page.querySelector('footer'))).to.include('Made by sluice 9.8.7');
  });

  it('opens with how many rows are invalid, where some are', async () => {
    const overviewOf = async (invalid: number | null): Promise<string> => {
      const page = await pageOf({ ...plainReport, rows: { ...plainReport.rows, invalid } });
      return words(page.querySelector('.overview'));
    };
    expect(await overviewOf(12)).to.match(/Rows\s*15,000\sof\s16,543,\s12\sinvalid/);
    for (const invalid of [0, null])
      expect(await overviewOf(invalid))
        .to.match(/Rows\s*15,000\sof\s16,543/)
        .and.not.include('invalid');
  });

  it('says plainly that a run is not private, and of a seeded one why', async () => {
    const plain = sectionOf(await pageOf(plainReport), 'privacy');
    expect(words(plain)).to.include('Not private. No noise was added');
    const ledger = { ...privateReport.ledger, private: false, epsilon: null, note: 'NOT PRIVATE (seeded)' };
    const page = await pageOf({ ...privateReport, ledger });
    expect(words(sectionOf(page, 'privacy'))).to.include('NOT PRIVATE (seeded). Noise was drawn from a seed');
    expect(words(page.querySelector('.overview')))
      .to.include('not private')
      .and.not.include('ε');
  });

  it('has the ledger of a private run, releases of one cost as one line', async () => {
    const page = await pageOf(privateReport);
    const privacy = sectionOf(page, 'privacy')!;
    expect(valuesIn(privacy)).to.deep.equal([1, 1e-6, 0.2367, 0.028, 1.8e-11, 0.002, 0.01, 0.2]);
    for (const text of ['all rows of one person', 'flights', 'run-1', 'abc123', '1 to 30 all rows']) {
      expect(words(privacy)).to.include(text);
    }
    expect(words(page.querySelector('.overview'))).to.include('ε = 1, δ = 10⁻⁶');
    expect(words(sectionOf(page, 'rows'))).to.include('Invalidnot shown');
    expect(words(sectionOf(page, 'plan'))).to.include('distance 0 to 5,000');
  });

  it('keeps releases of different costs apart', async () => {
    const entries = [4, 4, 2].map((sigma, chunk) => ({
      kind: 'gaussian',
      chunk,
      sensitivity: 1,
      sigma,
      mu: 1 / sigma,
    }));
    const page = await pageOf({ ...privateReport, ledger: { ...privateReport.ledger, entries } });
    const rows = all(sectionOf(page, 'privacy')!, 'tbody tr');
    expect(rows.map(words)).to.deep.equal(['1 to 2 a chunk each140.25', '3 one chunk120.5']);
  });

  it('lists the steps, of a long run both ends, with sigma where there is noise', async () => {
    const steps = (page: Element): Element[] => all(sectionOf(page, 'convergence')!, 'tbody tr');
    const short = steps(await pageOf(plainReport));
    expect(short.map(valuesIn)).to.deep.equal(
      plainReport.steps.map(({ step, rows, gradientNorm }) => [step, rows, gradientNorm]),
    );
    const long = steps(await pageOf(privateReport));
    expect(long.map(row => valuesIn(row)[0])).to.deep.equal([
      ...[1, 2, 3, 4, 5, 6, undefined],
      ...[25, 26, 27, 28, 29, 30],
    ]);
    expect(words(long[6]!)).to.equal('18 more in the model file');
    expect(valuesIn(long[0]!)).to.deep.equal([1, 15_000, 3, 0.01]);
  });

  it('has the conditions of a theorem, met or not', async () => {
    const rows = all((await pageOf(theoremReport)).querySelector('.conditions')!, 'tbody tr');
    expect(rows.map(words)).to.deep.equal([
      'n~ > 8 log(4/zeta~)✓ met n~ = 2,500, bound = 51.7',
      'tau_u/tau_l < 1.76✗ not met, which voids the claimed rate tau_u/tau_l = 2',
    ]);
  });

  it('takes no name for markup, wherever it stands', async () => {
    const evil = `</title><script>alert('1')</script><img src="x" onerror=alert(2)>`;
    const entries = Object.entries(plainReport.coefficients);
    const renamed = <T>(record: Readonly<Record<string, T>>) =>
      Object.fromEntries(Object.entries(record).map(([name, value]) => [name === 'hour' ? evil : name, value]));
    const { uncertainty, plan } = theoremReport;
    const page = await pageOf({
      ...privateReport,
      target: evil,
      createdWith: evil,
      features: entries.map(([name]) => (name === 'hour' ? evil : name)),
      coefficients: renamed(plainReport.coefficients),
      uncertainty: {
        ...uncertainty!,
        basis: evil,
        errors: renamed(uncertainty!.errors),
        intervals: renamed(uncertainty!.intervals),
      },
      plan: {
        ...privateReport.plan,
        rule: evil,
        [evil]: evil,
        bounds: { [evil]: { least: 0, most: 1 } },
        theorem: {
          ...plan.theorem!,
          label: evil,
          claim: { ...plan.theorem!.claim, rate: evil },
          conditions: [{ statement: evil, met: true, numbers: { [evil]: 1 }, kind: 'required' }],
        },
      },
      ledger: { ...privateReport.ledger, unit: evil, file: { dataset: evil, run: evil, head: evil } },
      holdout: { rows: 1, [evil]: 2 },
      notes: [evil],
      choices: [evil],
    });
    expect(all(page, 'script, img')).to.deep.equal([]);
    expect(words(page.querySelector('h1'))).to.include(`<script>alert('1')</script>`);
    const labels = all(page, '[aria-label]').map(element => element.getAttribute('aria-label'));
    expect(labels.filter(label => label!.startsWith(evil))).to.have.length(1);
  });

  it('asks nothing of the network, and forbids it', async () => {
    const text = await htmlReport(privateReport);
    expect(text).to.include(
      `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">`,
    );
    expect(text.match(/https?:|@import|url\(|src=/g)).to.equal(null);
  });

  it('has a scope on every header, a label on every picture, and a language', async () => {
    const page = await pageOf(privateReport);
    expect(all(page, 'th').every(header => header.getAttribute('scope') !== null)).to.equal(true);
    const pictures = all(page, 'svg').filter(svg => svg.getAttribute('aria-hidden') !== 'true');
    expect(pictures).to.have.length(7);
    for (const picture of pictures) {
      expect(picture.getAttribute('role')).to.equal('img');
      expect(picture.getAttribute('aria-label')).to.be.a('string').and.not.equal('');
    }
    expect(page.querySelector('html')!.getAttribute('lang')).to.equal('en');
  });
});
