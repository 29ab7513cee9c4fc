import { expect } from 'chai';
import { glob } from '../../../src/source/table/glob.ts';

describe('glob', () => {
  it('takes a backslash for a separator of folders on Windows, and for the next character as it is elsewhere', async () => {
    const pattern = 'src\\source\\table\\{glob,expand*}.ts';
    expect(await glob(pattern, 'win32')).to.have.members([
      'src/source/table/glob.ts',
      'src/source/table/expandPaths.ts',
    ]);
    expect(await glob('src\\**\\glob.ts', 'win32')).to.deep.equal(['src/source/table/glob.ts']);
    expect(await glob(pattern, 'linux')).to.deep.equal([]);
    expect(await glob('src/source/table/glo\\b.t?', 'linux')).to.deep.equal(['src/source/table/glob.ts']);
  });
});
