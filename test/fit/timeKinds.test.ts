import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DurationSecond, Float64, Table, TimeSecond, TimestampSecond, vectorFromArray } from 'apache-arrow';
import { expect } from 'chai';
import { estimate } from '../../src/fit/estimate.ts';

const rows = Array.from({ length: 200 }, (_, i) => i);
const y = vectorFromArray(
  rows.map(i => 3 * (i % 50) + Math.sin(i)),
  new Float64(),
);
const k = vectorFromArray(
  rows.map(i => i % 7),
  new Float64(),
);
const columns = {
  duration: vectorFromArray(
    rows.map(i => BigInt(i % 50)),
    new DurationSecond(),
  ),
  'time of day': vectorFromArray(
    rows.map(i => i % 50),
    new TimeSecond(),
  ),
  'date or time': vectorFromArray(
    rows.map(i => 1000 * (i % 50)),
    new TimestampSecond(),
  ),
};
const told = {
  duration: 'is in seconds: multiply its coefficient by 3600 for an effect per hour',
  'time of day': 'is in seconds since midnight: multiply its coefficient by 3600 for an effect per hour',
  'date or time': 'is in seconds since 1970: multiply its coefficient by 86400 for an effect per day',
};
const leftOut = {
  duration: ' in seconds',
  'time of day': ' in seconds since midnight',
  'date or time': ' in seconds since 1970',
};

describe('notes on a column of times', () => {
  for (const kind of ['duration', 'time of day', 'date or time'] as const)
    it(`call a ${kind} what it is, whether it is used or left out`, async () => {
      const notesFor = async (features?: string[]): Promise<readonly string[]> => {
        const table = new Table({ d: columns[kind], k, y });
        const { notes } = await estimate(table, { target: 'y', ...(features && { features }) });
        return notes.map(({ text }) => text).filter(text => /"d" is (a|in) /.test(text));
      };
      expect(await notesFor(['d'])).to.deep.equal([`"d" ${told[kind]}`]);
      const out = `"d" is a ${kind} and was left out; name it in \`features\` to use it${leftOut[kind]}`;
      expect(await notesFor()).to.deep.equal([out]);
    });

  it('do not say of a column of blanks in a text file that it has names', async () => {
    const rowsOfText = rows.map(i => `${i % 50},,${3 * (i % 50)}`).join('\n');
    const folder = mkdtempSync(join(tmpdir(), 'sluice-blank-'));
    try {
      writeFileSync(`${folder}/b.csv`, `x,b,y\n${rowsOfText}\n`);
      for (const nulls of ['auto', 'error'] as const) {
        const { notes } = await estimate(`${folder}/b.csv`, { target: 'y', nulls });
        const texts = notes.map(({ text }) => text).filter(text => text.startsWith('"b"'));
        expect(texts, nulls).to.have.length(1);
        expect(texts[0]).to.match(/^"b" \(100 %\) was left out for the share of rows without a value/);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
