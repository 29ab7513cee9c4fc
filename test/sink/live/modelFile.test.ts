import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { formatModel } from '../../../src/model/model.ts';
import { modelFileOutput } from '../../../src/sink/live/modelFile.ts';
import { modelOf } from '../../support/modelOf.ts';

describe('a model file that follows a stream', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-model-file-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is replaced whole after every chunk, in order', async () => {
    const path = join(folder, 'model.json');
    const { publish, close } = modelFileOutput(path);
    const models = [1, 2, 3].map(value => modelOf([value]));
    await publish({ model: models[0]! });
    expect(readFileSync(path, 'utf8')).to.equal(formatModel(models[0]!));
    await Promise.all(models.map(model => publish({ model })));
    await close();
    expect(readFileSync(path, 'utf8')).to.equal(formatModel(models[2]!));
    expect(readdirSync(folder)).to.deep.equal(['model.json']);
  });

  it('stays as it was while it cannot be written, says so once, and follows again by itself', async () => {
    // A folder that is away stands for a disk that is full: either way the file cannot be opened beside the old one.
    const [here, away] = [join(folder, 'here'), join(folder, 'away')];
    mkdirSync(here);
    const path = join(here, 'model.json');
    const told: (string | null)[] = [];
    const { publish, close } = modelFileOutput(path, { onProblem: problem => told.push(problem), retry: 20 });
    await publish({ model: modelOf([1]) });
    renameSync(here, away);
    await publish({ model: modelOf([2]) });
    await publish({ model: modelOf([3]) });
    expect(told).to.have.length(1);
    expect(told[0]).to.match(/model\.json cannot be written/);
    expect(readFileSync(join(away, 'model.json'), 'utf8')).to.equal(formatModel(modelOf([1])));
    renameSync(away, here);
    while (told.length < 2) await new Promise(resolve => setTimeout(resolve, 10));
    expect(told[1]).to.equal(null);
    expect(readFileSync(path, 'utf8')).to.equal(formatModel(modelOf([3])));
    await close();
  });

  it('fails at the end if it still cannot be written', async () => {
    const path = join(folder, 'none', 'model.json');
    const { publish, close } = modelFileOutput(path);
    await publish({ model: modelOf([1]) });
    const error = await close().catch(problem => problem);
    expect(error.code).to.equal('ERR_FILE');
    expect(existsSync(path)).to.equal(false);
  });
});
