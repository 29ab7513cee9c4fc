import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { deadLetterFile } from '../../../src/source/live/deadLetterFile.ts';
import { failureOf } from '../../support/liveRows.ts';

const letter = (k: number) => ({ place: { line: k }, reason: 'is empty', record: `"${k}\n` });

describe('deadLetterFile', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-letters-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('appends letters as lines of JSON, in order, for its owner alone', async () => {
    const path = join(folder, 'dead.ndjson');
    for (const k of [0, 2]) {
      const file = await deadLetterFile(path);
      await Promise.all([file.add(letter(k)), file.add(letter(k + 1))]);
      await file.close();
    }
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    expect(lines.map(line => JSON.parse(line))).to.deep.equal([0, 1, 2, 3].map(letter));
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).to.equal(0o600);
  });

  it('ends a line that a crash has cut short', async () => {
    const path = join(folder, 'dead.ndjson');
    appendFileSync(path, '{"place":{"li');
    const file = await deadLetterFile(path);
    await file.add(letter(1));
    await file.close();
    expect(readFileSync(path, 'utf8')).to.equal(`{"place":{"li\n${JSON.stringify(letter(1))}\n`);
  });

  it('says why a letter cannot be written, keeps the latest thousand, and lets the stream go on', async () => {
    if (!existsSync('/dev/full')) return;
    const problems: (string | null)[] = [];
    const file = await deadLetterFile('/dev/full', { onProblem: problem => problems.push(problem) });
    for (let k = 0; k < 1002; k++) await file.add(letter(k));
    expect(problems[0]).to.match(/^\/dev\/full cannot be written: ENOSPC/);
    expect(problems.at(-1)).to.match(/; 2 dead letters are lost$/);
    expect((await failureOf(file.close())).message).to.match(/ENOSPC/);
  });

  it('refuses a name that cannot be written to', async () => {
    const error = await failureOf(deadLetterFile(join(folder, 'absent', 'dead.ndjson')));
    expect([error.code, /name a file that you may write to/.test(error.message)]).to.deep.equal(['ERR_FILE', true]);
  });
});
