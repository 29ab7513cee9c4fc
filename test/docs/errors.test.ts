import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableFromArrays } from 'apache-arrow';
import { expect } from 'chai';
import { ERROR_CODES, type ErrorCode } from '../../src/errors.ts';
import { fitRows } from '../../src/fit/fitRows.ts';
import { inspect } from '../../src/fit/inspect.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { l2Ball } from '../../src/method/constraint/l2Ball.ts';
import { squared } from '../../src/method/loss/squared.ts';
import { peer } from '../../src/peers.ts';
import { planPrivate } from '../../src/plan/private/planPrivate.ts';
import { openLedgerFile } from '../../src/privacy/ledgerFile/openLedgerFile.ts';
import { sampleBatch } from '../../src/sample/sampleBatch.ts';
import { samplesOf } from '../../src/sample/samples.ts';
import { scatter } from '../../src/sample/shuffle/scatter.ts';
import { batchStream } from '../../src/source/live/batchStream.ts';
import type { ArrowBatch } from '../../src/source/memory/rowSource.ts';
import { openRows } from '../../src/source/read/openRows.ts';
import { DELTA, spend } from '../support/ledgerPlans.ts';
import { unitScaling } from '../support/unitScaling.ts';

const page = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');

describe('docs/errors.md', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-errors-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  const csv = (text: string): string => {
    const path = join(folder, `${text.length}.csv`);
    writeFileSync(path, text);
    return path;
  };
  const read = async (path: string, target = 'y'): Promise<void> => {
    const samples = await openRows([path], { target, nulls: 'error' });
    try {
      for await (const _ of samples.batches());
    } finally {
      await samples.close();
    }
  };
  const good = 'x,y\n1,2\n2,4\n3,7\n';

  it('has a line for every code', () => {
    const lines = [...page.matchAll(/^\| `(ERR_\w+)` \|/gm)].map(match => match[1]);
    expect(lines).to.deep.equal(ERROR_CODES);
  });

  /** A call for each code, and data that its error must carry. */
  const calls: Readonly<Record<ErrorCode, { call: () => unknown; detail: object }>> = {
    ERR_ARGUMENT: { call: () => l2Ball(-1), detail: { argument: 'radius', value: -1 } },
    ERR_CONFLICT: {
      call: () => openRows([csv(good)], { target: 'y', features: ['x', 'y'] }),
      detail: { column: 'y' },
    },
    ERR_COLUMN: { call: () => read(csv(good), 'pay'), detail: { column: 'pay' } },
    ERR_ROW: { call: () => read(csv('x,y\n1,2\n2,\n')), detail: { column: 'y', row: 1 } },
    ERR_NO_ROWS: { call: () => read(csv('x,y\n')), detail: {} },
    ERR_TOO_LARGE: {
      call: () => {
        const x = Float64Array.from({ length: 100 }, (_, i) => (i === 3 ? 1e300 : i));
        const batch = sampleBatch(
          [x],
          x.map(value => Math.min(value, 7)),
        );
        return fitRows(samplesOf(batch), { loss: 'squared' });
      },
      detail: { columns: ['column 0'] },
    },
    ERR_TOO_FEW_ROWS: {
      call: () =>
        planPrivate({
          ...{ rows: 20, loss: squared(), scaling: unitScaling(2), epsilon: 0.01, delta: 1e-6 },
          ...{ set: { constraint: l2Ball(1), radius: 1 } },
        }),
      detail: { rows: 20, epsilon: 0.01 },
    },
    ERR_DIVERGED: {
      call: () =>
        fitRows(samplesOf(sampleBatch([Float64Array.of(1, 2, 3, 4)], Float64Array.of(2, 4, 6, 9))), {
          loss: 'squared',
          stepSize: 9,
          mode: 'full',
          steps: 9,
        }),
      detail: { stepSize: 9 },
    },
    ERR_NOT_PRIVATE: {
      call: () => openRows([csv(good)], { forPrivate: true }),
      detail: { arguments: ['target', 'features'] },
    },
    ERR_BUDGET: {
      call: () => {
        const file = openLedgerFile(join(folder, 'ledger'), {
          dataset: 'people',
          budget: { epsilon: 2, delta: DELTA },
        });
        try {
          spend(file, 2.5);
        } finally {
          file.close();
        }
      },
      detail: { dataset: 'people', budget: { epsilon: 2, delta: DELTA } },
    },
    ERR_ENDLESS: {
      call: () => inspect(Object.assign((async function* () {})(), { endless: true })),
      detail: { table: 'the batches' },
    },
    ERR_OVERRUN: {
      call: async () => {
        const [batch] = tableFromArrays({ x: new Float64Array(9) }).batches;
        const source = {
          subscribe: (observer: { next(value: ArrowBatch): void }) => {
            for (let k = 0; k < 3; k++) observer.next(batch!);
            return { unsubscribe: () => {} };
          },
        };
        const stream = await batchStream(source, { bufferBytes: 100 }).open({ from: null, forPrivate: false });
        return stream.arrivals[Symbol.asyncIterator]().next();
      },
      detail: { table: 'the batches' },
    },
    ERR_CHANGED: {
      call: () => {
        const whole = samplesOf(sampleBatch([new Float64Array(4)], new Float64Array(4)));
        const scattered = scatter({ ...whole, rows: 8 }, { cells: [4, 4], random: seeded(1, 'rows') });
        return scattered.batches()[Symbol.asyncIterator]().next();
      },
      detail: { rows: 4, expected: 8 },
    },
    ERR_FILE: { call: () => read('absent.csv'), detail: { table: 'absent.csv' } },
    ERR_PEER_MISSING: {
      call: () => peer('absent-package' as '@duckdb/node-api', 'a test'),
      detail: { package: 'absent-package' },
    },
  };

  for (const [code, { call, detail }] of Object.entries(calls)) {
    it(`${code} is thrown by a call, with its data`, async () => {
      const error = await Promise.resolve()
        .then(call)
        .then(
          () => expect.fail('nothing was thrown'),
          thrown => thrown,
        );
      // By name: modules that are loaded on demand have a second copy of the class under the loader of the tests.
      expect(error).to.have.property('name', 'ArgumentError');
      expect(error.code, error.message).to.equal(code);
      expect(error.detail).to.deep.include(detail);
      if (!('table' in error)) return;
      const { table, column, row } = error;
      expect(JSON.parse(JSON.stringify({ table, column, row }))).to.deep.equal({ ...error.detail });
    });
  }
});
