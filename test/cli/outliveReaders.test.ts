import { EventEmitter } from 'node:events';
import { expect } from 'chai';
import { type Outputs, outliveReaders } from '../../src/cli/outliveReaders.ts';

/** Two streams that fail when they are told to. */
function failing() {
  const said: string[] = [];
  const stderr = Object.assign(new EventEmitter(), { write: (text: string) => said.push(text) });
  const outputs: Outputs = { stdout: new EventEmitter(), stderr };
  outliveReaders(outputs);
  return { outputs, said };
}

const problem = (code: string): Error => Object.assign(new Error(`${code}: no`), { code });

describe('outliveReaders', () => {
  it('says nothing when whoever reads the results or the words on the way has left', () => {
    const { outputs, said } = failing();
    outputs.stdout.emit('error', problem('EPIPE'));
    outputs.stdout.emit('error', problem('EOF'));
    outputs.stderr.emit('error', problem('EPIPE'));
    outputs.stderr.emit('error', problem('ENOSPC'));
    expect(said).to.deep.equal([]);
    expect(outputs.exitCode).to.equal(undefined);
  });

  it('tells once of results that cannot be written for another reason', () => {
    const { outputs, said } = failing();
    outputs.stdout.emit('error', problem('ENOSPC'));
    outputs.stdout.emit('error', problem('ENOSPC'));
    expect(said).to.deep.equal([
      'sluice: standard output cannot be written: ENOSPC: no; make room, or send it elsewhere\n',
    ]);
    expect(outputs.exitCode).to.equal(2);
  });
});
