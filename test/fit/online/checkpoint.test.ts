import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openCheckpoint } from '../../../src/fit/online/checkpoint.ts';
import { openUnits } from '../../../src/fit/online/unitsFile.ts';
import { openWitness } from '../../../src/fit/online/witness.ts';

describe('a folder of checkpoints', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-checkpoint-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('keeps the last checkpoint to the bit, for one process at a time, and leaves nothing else behind', async () => {
    const place = join(folder, 'new', 'state');
    const facts = { target: 'y', chunk: 10, absent: undefined };
    const first = openCheckpoint<{ theta: Float64Array; rows: number }>(place, facts);
    expect([first.last, first.digest()]).to.deep.equal([null, null]);
    const content = { theta: Float64Array.of(0.1, -0, Infinity), rows: Infinity };
    await first.write(content);
    expect(() => openCheckpoint(place, facts)).to.throw('is in use by this process');
    first.close();
    const again = openCheckpoint(place, { chunk: 10, target: 'y' });
    expect(again.last).to.deep.equal(content);
    expect(again.digest()).to.equal(first.digest());
    again.close();
    expect(readdirSync(place)).to.deep.equal(['checkpoint.json']);
  });

  it('names the fact that differs, and is not locked by a refusal', async () => {
    const made = openCheckpoint<object>(folder, { chunk: 10, bounds: { x: [0, 1] } });
    await made.write({});
    made.close();
    const open = (facts: object) => () => openCheckpoint(folder, facts as Record<string, unknown>);
    expect(open({ chunk: 10, bounds: { x: [0, 2] } })).to.throw('another run: `bounds` x 2 was 1, and is 2;');
    expect(open({ chunk: 10 })).to.throw('`bounds` was {"x":[0,1]}, and is not given');
    expect(open({ chunk: 10, bounds: { x: [0, 1] }, forget: 5 })).to.throw('`forget` was not given, and is 5');
    writeFileSync(join(folder, 'checkpoint.json'), '{"format":"another"}');
    expect(open({})).to.throw('is not one that sluice wrote');
  });

  it('refuses a folder that cannot be one', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => openCheckpoint(join(folder, 'file'), {}))
      .to.throw('cannot be used')
      .with.property('code', 'ERR_FILE');
  });
});

describe('the witness of releases', () => {
  it('takes the newest checkpoint, and one that is a release ahead, and no other', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-witness-'));
    try {
      const ledger = join(folder, 'ledger.jsonl');
      const witness = openWitness(ledger, 'run');
      expect(() => openWitness(ledger, 'run')).to.throw('is in use');
      expect(() => witness.require(0, 'a')).to.throw('is missing');
      await witness.write(0, null);
      witness.require(0, 'whatever');
      await witness.write(4, 'a');
      witness.require(4, 'a');
      witness.require(5, 'b');
      expect(() => witness.require(4, 'b'))
        .to.throw('another release 4')
        .with.property('code', 'ERR_NOT_PRIVATE');
      expect(() => witness.require(3, 'a')).to.throw('has 3 releases');
      witness.close();
      openWitness(ledger, 'run').close();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the counts of units', () => {
  it('are those of the releases that a checkpoint has, whatever was appended after them', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-units-'));
    try {
      const first = openUnits(folder, 0);
      expect(first.saved).to.have.length(0);
      first.append(0, new Uint8Array(12).fill(1));
      first.append(1, new Uint8Array(24).fill(2));
      first.append(2, new Uint8Array(12).fill(3));
      first.close();
      appendFileSync(join(folder, 'units.bin'), Buffer.alloc(5));
      const again = openUnits(folder, 2);
      expect([...again.saved]).to.deep.equal([...Array(12).fill(1), ...Array(24).fill(2)]);
      expect(again.key).to.deep.equal(first.key);
      again.append(2, new Uint8Array(12).fill(4));
      again.close();
      expect([...readFileSync(join(folder, 'units.bin')).subarray(-12)]).to.deep.equal(Array(12).fill(4));
      // A run that begins anew has a key of its own.
      const anew = openUnits(folder, 0);
      expect(anew.key).not.to.deep.equal(first.key);
      anew.close();
      rmSync(join(folder, 'units.key'));
      expect(() => openUnits(folder, 2)).to.throw('cannot be used');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
