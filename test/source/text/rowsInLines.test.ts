import { expect } from 'chai';
import { rowsInLines } from '../../../src/source/text/rowsInLines.ts';

const COMMA = ','.charCodeAt(0);
const rowsOf = (text: string, valued: readonly boolean[]): number =>
  rowsInLines({ delimiter: COMMA, valued })(Buffer.from(`${text}\n`), 0, Buffer.byteLength(text));

describe('rowsInLines', () => {
  const people = [true, false, true];

  it('counts the rows between two stray quotes, wherever in their rows these are', () => {
    expect(rowsOf('1,"Anna,2\n3,Bert",4', people)).to.equal(2);
    expect(rowsOf('1,"Anna,2\r\n3,Bert,4\r\n5,Carl",6\r', people)).to.equal(3);
    expect(rowsOf('"1,Anna,2\n3,Bert,4"', people)).to.equal(2);
    expect(rowsOf('2024-01-01,"Anna,true\n2024-01-02,Bert",false', people)).to.equal(2);
  });

  it('takes no text of several lines for rows', () => {
    for (const text of ['Dear Sir,\nyours, B', 'a\nb', 'a,\n,b', 'x,1\ny', 'one, two\nthree, four\nfive, six'])
      expect(rowsOf(`1,"${text}",2`, people), text).to.equal(0);
  });

  it('asks for as many cells as there are columns', () => {
    expect(rowsOf('1,"Anna,2\n3,Bert,4,4\n5,Carl",6', people)).to.equal(0);
    expect(rowsOf('1,"Anna,2\n3\n5,Carl",6', people)).to.equal(0);
  });

  it('tells nothing of columns of text alone', () => {
    expect(rowsOf('a,"b\nc,d"', [false, false])).to.equal(0);
  });
});
