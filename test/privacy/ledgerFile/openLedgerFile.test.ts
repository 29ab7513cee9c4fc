import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ArgumentError } from '../../../src/errors.ts';
import { nonPrivateEvent } from '../../../src/privacy/event.ts';
import { epsilonFor, muFor } from '../../../src/privacy/gaussianDp.ts';
import { type LedgerOptions, openLedgerFile } from '../../../src/privacy/ledgerFile/openLedgerFile.ts';
import { readLedgerFile } from '../../../src/privacy/ledgerFile/readLedgerFile.ts';
import { chained, NO_HASH } from '../../../src/privacy/ledgerFile/record.ts';
import { expectClose } from '../../support/close.ts';
import { chainOf, DELTA, promising, release, seededRun, spend } from '../../support/ledgerPlans.ts';

const budget = { epsilon: 2, delta: DELTA };
const mu = (epsilon: number): number => muFor(epsilon, DELTA);

describe('openLedgerFile', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-ledger-'));
    path = join(folder, 'ledger.jsonl');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Opens the file, works with it, and closes it. */
  function using<T>(options: LedgerOptions, work: (file: ReturnType<typeof openLedgerFile>) => T): T {
    const file = openLedgerFile(path, options);
    try {
      return work(file);
    } finally {
      file.close();
    }
  }
  const people = { dataset: 'people' };
  const accountOf = (dataset: string) => readLedgerFile(path).accounts.find(account => account.dataset === dataset)!;

  it('writes a line for the file, for each run, charge and end, each before the call returns', () => {
    const kinds = (): string[] => chainOf(readFileSync(path, 'utf8')).map(({ kind }) => kind);
    using({ ...people, budget }, file => {
      expect(kinds()).to.deep.equal(['ledger']);
      const run = file.begin(promising(1));
      expect(kinds()).to.deep.equal(['ledger', 'run']);
      run.charge(release(0, 0.1));
      expect(kinds()).to.deep.equal(['ledger', 'run', 'charge']);
      run.charge(release(1, 0.2));
      run.finish();
      expect(kinds()).to.deep.equal(['ledger', 'run', 'charge', 'charge', 'finished']);
      expect(file.head).to.equal(readLedgerFile(path).head);
    });
    expect(readdirSync(folder)).to.deep.equal(['ledger.jsonl']);
  });

  it('reads back what it wrote, and goes on', () => {
    using({ ...people, budget }, file => {
      const run = file.begin(promising(1));
      run.charge(release(0, 0.1));
      run.charge(release(1, 0.2));
      run.finish();
    });
    using(people, file => file.begin({ ...promising(0.5), target: 'age' }).charge(release('all', 0.05)));
    const { lines, mended, torn } = readLedgerFile(path);
    expect({ lines, mended, torn }).to.deep.equal({ lines: 7, mended: 0, torn: 0 });
    const { runs, ...account } = accountOf('people');
    expect(runs).to.have.length(2);
    expect(runs[0]).to.deep.include({
      dataset: 'people',
      target: 'pay',
      createdWith: 'sluice test',
      guarantee: { epsilon: 1, delta: DELTA, mu: mu(1) },
      budget,
      isFinished: true,
      charges: 2,
      mu: 0.2,
    });
    expectClose(runs[0]!.epsilon, epsilonFor(0.2, DELTA));
    expect(runs[1]).to.deep.include({ target: 'age', budget: null, isFinished: false, charges: 1, mu: 0.05 });
    expect(account).to.deep.include({ isPrivate: true, delta: DELTA, budget });
  });

  it('refuses to begin a run that states less than it may charge', () => {
    using(people, file => {
      for (const [stated, charged] of [
        [1, 1 + 1e-6],
        [1, 20],
        [0.01, 0.02],
      ] as const) {
        const guarantee = { epsilon: stated, delta: DELTA, mu: mu(charged) };
        expect(() => file.begin({ ...promising(1), guarantee })).to.throw(
          ArgumentError,
          `guarantee.mu must be at most ${mu(stated)}, of which epsilon ${stated} at delta ${DELTA} is true, got ${mu(charged)}; state`,
        );
      }
      const unlikely = { ...promising(1).guarantee, delta: DELTA / 2 } as const;
      expect(() => file.begin({ ...promising(1), guarantee: unlikely })).to.throw('guarantee.mu must be at most');
      file.begin(promising(1)).finish();
    });
    expect(accountOf('people').runs).to.have.length(1);
  });

  it('adds mu^2 over runs, and within a run only the largest of its disjoint chunks', () => {
    using(people, file => {
      for (const [chunks, each] of [
        [5, 0.3],
        [1, 0.4],
        [7, 1.2],
      ] as const) {
        const guarantee = { epsilon: epsilonFor(each, DELTA), delta: DELTA, mu: each };
        const run = file.begin({ ...promising(1), guarantee });
        for (let t = 0; t < chunks; t++) run.charge(release(t, each));
        run.finish();
      }
    });
    using({ dataset: 'others' }, file => spend(file, 0.5));
    const account = accountOf('people');
    expectClose(account.mu, 1.3);
    expectClose(account.rho, 1.69 / 2);
    expectClose(account.spent, 1.69);
    expectClose(account.epsilon!, epsilonFor(1.3, DELTA));
    expectClose(accountOf('others').epsilon!, 0.5);
  });

  it('lets runs fill a budget to the brim, and refuses the next with nothing left', () => {
    for (const [k, share] of [4, 9].entries()) {
      const dataset = `people ${k}`;
      using({ dataset, budget }, file => {
        const part = mu(2) / Math.sqrt(share);
        const plan = { ...promising(1), guarantee: { epsilon: 1, delta: DELTA, mu: part } };
        for (let run = 0; run < share; run++) {
          const { charge, finish } = file.begin(plan);
          for (let t = 0; t < 10; t++) charge(release('all', part / Math.sqrt(10)));
          finish();
          expectClose(file.account.spent, ((run + 1) * mu(2) ** 2) / share);
        }
        expect(() => file.begin(promising(0.01))).to.throw(
          ArgumentError,
          `data set "${dataset}" has nothing left of its budget of epsilon 2 at delta 0.000001`,
        );
      });
    }
  });

  it('refuses a run that would overspend, says what is left, and takes a run of just that', () => {
    using({ ...people, budget }, file => spend(file, 0.9, 4));
    const leftMu = Math.sqrt(mu(2) ** 2 - mu(0.9) ** 2);
    using(people, file => {
      expectClose(file.account.left!.mu, leftMu);
      expectClose(file.account.left!.epsilon, epsilonFor(leftMu, DELTA));
      const before = readFileSync(path, 'utf8');
      let message = '';
      try {
        file.begin(promising(1.8));
      } catch (error) {
        message = (error as Error).message;
      }
      expect(readFileSync(path, 'utf8')).to.equal(before);
      const [, said, saidMu] = /has epsilon (\S+) at delta 0.000001 \(mu (\S+)\) left/.exec(message)!;
      expect(Number(said)).to.be.within(epsilonFor(leftMu, DELTA) - 1e-5, epsilonFor(leftMu, DELTA));
      expect(Number(saidMu)).to.be.within(leftMu - 1e-6, leftMu);
      expect(message).to.include(`ask for at most epsilon ${said} at delta 0.000001`);
      spend(file, Number(said));
    });
  });

  it('counts what an unfinished run charged, not what it planned', () => {
    using({ ...people, budget }, file => {
      const run = file.begin(promising(1.9));
      run.charge(release(0, mu(0.5)));
    });
    using(people, file => {
      expectClose(file.account.spent, mu(0.5) ** 2);
      spend(file, 1.8);
    });
  });

  it('refuses a charge beyond what the run has promised, before it is written', () => {
    using(people, file => {
      const run = file.begin(promising(1));
      run.charge(release('all', mu(1) * Math.sqrt(0.5)));
      const before = readFileSync(path, 'utf8');
      expect(() => run.charge(release('all', mu(1) * Math.sqrt(0.51)))).to.throw('the run guarantees mu');
      expect(() => run.charge(nonPrivateEvent({ chunk: 0, reason: 'a plot' }))).to.throw('the run guarantees mu');
      expect(readFileSync(path, 'utf8')).to.equal(before);
      run.charge(release('all', mu(1) * Math.sqrt(0.5)));
      run.finish();
    });
  });

  it('keeps the first budget of a data set: later ones may be smaller, for their own run, but not larger', () => {
    using({ ...people, budget }, file => spend(file, 0.5));
    expect(() => openLedgerFile(path, { ...people, budget: { epsilon: 2.1, delta: DELTA } })).to.throw(
      ArgumentError,
      /^`budget` must be at most what data set "people" was given on .*, epsilon 2 at delta 0.000001, got .*2\.1.*; leave it out/,
    );
    // The same epsilon at a larger delta allows more.
    expect(() => openLedgerFile(path, { ...people, budget: { epsilon: 2, delta: 1e-5 } })).to.throw('`budget` must');
    using({ ...people, budget: { epsilon: 1, delta: DELTA } }, file => {
      expect(() => file.begin(promising(0.95))).to.throw('its budget of epsilon 1');
      spend(file, 0.1);
    });
    using({ ...people, budget }, file => spend(file, 0.95));
    expect(accountOf('people').budget).to.deep.equal(budget);
    using({ dataset: 'others', budget: { epsilon: 9, delta: DELTA } }, file => spend(file, 8));
  });

  it('holds a budget against what was spent before there was one', () => {
    using(people, file => spend(file, 3));
    expect(accountOf('people').left).to.equal(null);
    using({ ...people, budget }, file => {
      expect(() => file.begin(promising(0.1))).to.throw('has nothing left');
    });
  });

  it('marks a seeded run, takes nothing of the budget for it, and calls its data set not private', () => {
    using({ ...people, budget }, file => {
      spend(file, 1.5);
      const { spent } = file.account;
      const run = file.begin(seededRun);
      expect(file.account.isPrivate).to.equal(true);
      run.charge(nonPrivateEvent({ chunk: 0, reason: 'seeded noise' }));
      run.finish();
      expect(file.account).to.deep.include({
        isPrivate: false,
        mu: Infinity,
        rho: Infinity,
        epsilon: Infinity,
        spent,
      });
      spend(file, 0.5);
    });
    const { runs, left } = accountOf('people');
    expect(runs.map(run => run.guarantee)[1]).to.deep.equal({ notPrivate: 'seeded' });
    expect(runs.map(run => run.epsilon)[1]).to.equal(Infinity);
    expectClose(left!.mu, Math.sqrt(mu(2) ** 2 - mu(1.5) ** 2 - mu(0.5) ** 2));
  });

  it('keeps a data set to whom its first run protects, and charges nothing for a run that it refuses', () => {
    const person = { unit: 'person', maxPerUnit: 20 };
    using({ ...people, budget }, file => {
      const run = file.begin({ ...promising(1), protects: person });
      run.charge(release('all', mu(1)));
      run.finish();
      expect(file.account.protects).to.deep.equal(person);
    });
    const before = readFileSync(path, 'utf8');
    for (const plan of [
      promising(0.1),
      seededRun,
      { ...promising(0.1), protects: { unit: 'person', maxPerUnit: 5 } },
      { ...promising(0.1), protects: { unit: 'house', maxPerUnit: 20 } },
    ]) {
      using(people, file =>
        expect(() => file.begin(plan)).to.throw(
          ArgumentError,
          /data set "people" protects all rows of one person, of which at most 20 are used, but the run would .* `unit: 'person', maxPerUnit: 20`$/,
        ),
      );
    }
    expect(readFileSync(path, 'utf8')).to.equal(before);
    using(people, file => file.begin({ ...promising(0.1), protects: person }).finish());
    using({ dataset: 'rows of people' }, file => spend(file, 0.1));
    expect(accountOf('people').runs.map(run => run.protects)).to.deep.equal([person, person]);
    expect(accountOf('rows of people').protects).to.equal('row');
  });

  it('takes runs of an older file, which do not say whom they protect, as runs for one row', () => {
    using({ ...people, budget }, file => spend(file, 0.5));
    let head = NO_HASH;
    const older = chainOf(readFileSync(path, 'utf8')).map(record => {
      const { protects, ...rest } = record as { kind: string; protects?: unknown };
      const { line, hash } = chained(head, rest);
      head = hash;
      return line.toString();
    });
    writeFileSync(path, older.join(''));
    expect(older.join('')).to.not.include('protects');
    expect(readLedgerFile(path).head).to.equal(head);
    expect(accountOf('people')).to.include({ protects: 'row' });
    expect(accountOf('people').runs[0]!.protects).to.equal(null);
    using(people, file => {
      const plan = { ...promising(0.1), protects: { unit: 'person', maxPerUnit: 2 } };
      expect(() => file.begin(plan)).to.throw('protects one row, but the run would protect all rows of one');
      spend(file, 0.5);
    });
    expect(readFileSync(path, 'utf8').startsWith(older.join(''))).to.equal(true);
    expectClose(accountOf('people').mu, mu(0.5) * Math.SQRT2);
  });

  it('has one run under way at a time, and takes no charge before, between or after', () => {
    const file = openLedgerFile(path, people);
    const run = file.begin(promising(1));
    expect(() => file.begin(promising(1))).to.throw(`run ${run.id} is in progress`);
    run.finish();
    expect(() => run.charge(release(0, 0.1))).to.throw('has ended');
    expect(() => run.finish()).to.throw('has ended');
    const next = file.begin(promising(1));
    file.close();
    file.close();
    expect(() => next.charge(release(0, 0.1))).to.throw(`${path} is closed`);
    expect(() => next.finish()).to.throw('is closed');
  });

  it('refuses to write on when another program has changed, replaced or removed the file', () => {
    for (const [k, meddle] of [
      () => writeFileSync(path, 'x', { flag: 'a' }),
      () => renameSync(join(folder, 'copy'), path),
      () => rmSync(path),
    ].entries()) {
      rmSync(path, { force: true });
      const file = openLedgerFile(path, { dataset: `people ${k}` });
      const run = file.begin(promising(1));
      run.charge(release(0, 0.1));
      writeFileSync(join(folder, 'copy'), readFileSync(path));
      meddle();
      expect(() => run.charge(release(1, 0.1)), `${k}`).to.throw('another program has replaced or changed it');
      expect(() => run.charge(release(1, 0.1)), `${k}`).to.throw('the release that this line charges for was not made');
      file.close();
    }
  });

  it('locks the file itself, whatever name it is opened by', () => {
    const other = join(folder, 'other.jsonl');
    using(people, () => {
      symlinkSync(path, other);
      expect(() => openLedgerFile(other, people)).to.throw(ArgumentError, 'is in use by this process');
    });
    openLedgerFile(other, people).close();
  });

  it('is free again after it was refused for any reason', () => {
    using({ ...people, budget }, file => spend(file, 0.5));
    expect(() => openLedgerFile(path, { ...people, budget: { epsilon: 3, delta: DELTA } })).to.throw('`budget` must');
    const whole = readFileSync(path);
    writeFileSync(path, whole.subarray(200));
    expect(() => openLedgerFile(path, people)).to.throw('is not a ledger');
    writeFileSync(path, whole);
    using(people, file => spend(file, 0.5));
    expect(readdirSync(folder)).to.deep.equal(['ledger.jsonl']);
  });

  it('leaves files alone that are no ledgers, with and without line breaks', () => {
    for (const text of ['{\n', 'a', '{"format":"sluice-model"}', '{"kind":"ledger","format":"sluice-model"']) {
      writeFileSync(path, text);
      expect(() => openLedgerFile(path, people), text).to.throw(ArgumentError, 'is not a ledger');
      expect(readFileSync(path, 'utf8')).to.equal(text);
    }
    expect(() => openLedgerFile(folder, people)).to.throw(ArgumentError, 'cannot be opened');
    expect(() => openLedgerFile('/dev/null', people)).to.throw(ArgumentError, 'is not a regular file');
    expect(() => openLedgerFile(join(folder, 'no/ledger'), people)).to.throw(ArgumentError, 'cannot be opened');
  });

  it('refuses names that look like others, which would have a budget of their own', () => {
    const composed = 'caf\u00e9';
    using({ dataset: composed, budget }, file => spend(file, 1));
    for (const lookalike of [composed.normalize('NFD'), `${composed}\u200b`, `${composed}\u3164`, 'ca\u00adfe']) {
      expect(() => openLedgerFile(path, { dataset: lookalike })).to.throw(ArgumentError, 'retype the name');
    }
  });

  it('refuses a data set without a name, and numbers that are no budget or guarantee', () => {
    for (const dataset of ['', ' ', ' people', 'peo\nple', undefined as unknown as string]) {
      expect(() => openLedgerFile(path, { dataset })).to.throw(ArgumentError, 'dataset must');
    }
    for (const bad of [0, -1, Number.NaN, Infinity]) {
      expect(() => openLedgerFile(path, { ...people, budget: { epsilon: bad, delta: DELTA } })).to.throw(
        'budget.epsilon must',
      );
      expect(() => openLedgerFile(path, { ...people, budget: { epsilon: 1, delta: bad } })).to.throw(
        'budget.delta must',
      );
      using(people, file => {
        const guarantee = { epsilon: 1, delta: DELTA, mu: bad };
        expect(() => file.begin({ ...promising(1), guarantee })).to.throw('guarantee.mu must');
      });
    }
    expect(existsSync(path), 'a file without a run').to.equal(false);
  });

  describe('a stream', () => {
    const streaming = {
      ...promising(1),
      stream: { name: 'trips', from: '0' },
      event: release('each', promising(1).guarantee.mu),
    };

    it('is one run with one charge for ever, on disk before any noise, and leaves the file to others', () => {
      const id = using({ ...people, budget }, file => file.beginStream(streaming));
      const lines = readFileSync(path, 'utf8');
      expect(chainOf(lines).map(({ kind }) => kind)).to.deep.equal(['ledger', 'run', 'charge']);
      for (let k = 0; k < 3; k++) using(people, file => file.resumeStream(id, streaming));
      expect(readFileSync(path, 'utf8')).to.equal(lines);
      expect(accountOf('people').runs[0]).to.deep.include({ isFinished: false, charges: 1, stream: streaming.stream });
      expectClose(accountOf('people').mu, mu(1));
      using(people, file => spend(file, 0.5));
      using(people, file => file.finishStream(id));
      expect(accountOf('people').runs[0]!.isFinished).to.equal(true);
      expectClose(accountOf('people').mu, Math.hypot(mu(1), mu(0.5)));
    });

    it('is charged when it goes on, if it was killed between its two lines', () => {
      const { id } = using(people, file => file.begin(streaming));
      using(people, file => file.resumeStream(id, streaming));
      expectClose(accountOf('people').mu, mu(1));
    });

    it('does not go on as another, in another ledger, after its end, or beyond its guarantee', () => {
      const id = using(people, file => file.beginStream(streaming));
      const other = { ...streaming, stream: { name: 'trips', from: '5' } };
      expect(() => using(people, file => file.resumeStream(id, other))).to.throw('in its stream');
      expect(() => using(people, file => file.resumeStream('x', streaming))).to.throw('not in progress');
      expect(() => using({ dataset: 'other' }, file => file.resumeStream(id, streaming))).to.throw('in its dataset');
      using(people, file => file.finishStream(id));
      expect(() => using(people, file => file.resumeStream(id, streaming))).to.throw('not in progress');
      const costly = { ...streaming, event: release('each', 1.1 * mu(1)) };
      expect(() => using(people, file => file.beginStream(costly))).to.throw('this charge would bring it to');
    });
  });
});
