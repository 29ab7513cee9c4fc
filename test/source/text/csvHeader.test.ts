import { expect } from 'chai';
import { csvHeader } from '../../../src/source/text/openCsv.ts';
import { chunks } from './chunks.ts';
import { failure } from './failure.ts';

const header = (text: string | Uint8Array, size?: number, skip = 0) =>
  csvHeader(chunks(text, size), { table: 'test', skip });
const names = async (text: string) => (await header(text)).names;

describe('csvHeader', () => {
  it('detects the delimiter, outside quotes, and prefers a comma', async () => {
    for (const [text, delimiter] of [
      ['a,b,c\n', ','],
      ['a;b;c\n', ';'],
      ['a\tb\tc\n', '\t'],
      ['a;"b,c,d,e";f\n', ';'],
      ['a;b,c\n', ','],
      ['a\n', ','],
    ] as const)
      expect((await header(text)).delimiter, text).to.equal(delimiter);
  });

  it('reads names, quoted or not, and trims those that are not', async () => {
    expect(await names('a, b ,"c ""d"" ",,größe\r\n1,2,3,4,5')).to.deep.equal(['a', 'b', 'c "d" ', '', 'größe']);
    expect(await names('"two\nlines",b')).to.deep.equal(['two\nlines', 'b']);
  });

  it('says where the first row begins, whatever the chunks', async () => {
    for (const size of [1, 3, 100]) {
      expect((await header('a,"\n"\r\n1,2\n', size)).length).to.equal(7);
      expect((await header('\ufeffa,b\n1,2\n', size, 3)).length).to.equal(7);
    }
  });

  it('refuses a first line without names', async () => {
    for (const text of ['1,2.5,-3e4\n', '2024-01-01,7\n', 'true,1\n', '\n', ',,\n', '  \r\n1,2\n', '']) {
      expect(await failure(() => header(text)), text).to.equal(
        'test: has no header: the first line has no names; put a line with the names of the columns above the data',
      );
    }
    expect(await names('year,2023,2024\n')).to.have.length(3);
    expect(await failure(() => header('2000,2001,2002\n1,2,3\n'))).to.include(
      'if these are the names, a header of numbers alone looks like data: rename at least one, such as 2000 to y2000, or read the file with `fromSql`',
    );
  });

  it('refuses a name that is there twice', async () => {
    expect(await failure(() => header('a,b, a\n'))).to.equal(
      'test, column "a": is in the header twice; rename one of the two',
    );
    // Also one that is empty.
    expect(await failure(() => header('a,,\n1,2,3\n'))).to.equal(
      'test, column "": is in the header twice; rename one of the two',
    );
  });

  it('refuses quotes inside names', async () => {
    for (const text of ['a"b",c\n', '"a"b,c\n', 'a, "b"\n', '"a\n'])
      expect(await failure(() => header(text)), text).to.include('the header has a quote inside a name');
  });

  it('refuses bare carriage returns as line ends', async () => {
    expect(await failure(() => header('a,b\r1,2\r3,4\r'))).to.include('lines end with bare carriage returns');
  });

  it('refuses bytes that are not UTF-8', async () => {
    expect(await failure(() => header(Buffer.from('a,gr\xf6\xdfe\n', 'latin1')))).to.include('not UTF-8; convert');
  });

  it('refuses a first line of more than 16 MB', async () => {
    expect(await failure(() => header('x'.repeat(17 << 20), 1 << 20))).to.include('the first line does not end');
  });
});
