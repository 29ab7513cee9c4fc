import { expect } from 'chai';
import { cellTable } from '../../../src/lab/paper/figureCells.ts';

const heads = { series: 'method', x: 'rows', value: 'the error' };
const pointOf = (value: number) => ({ reading: '', series: 'GD', x: 100, value });

describe('cellTable', () => {
  it('has a line of median and quartiles for every series and x', () => {
    expect(cellTable([[pointOf(1)], [pointOf(2)], [pointOf(3)]], heads)).to.match(
      /^GD +100 +2\.0000 +1\.5000 +2\.5000$/m,
    );
  });

  it('says above them what the columns are', () => {
    const [head, line] = cellTable([[pointOf(1)], [pointOf(3)]], heads).split('\n');
    expect(head).to.equal('method, rows; median and quartiles of the error over 2 seeds');
    expect(line).to.match(/^GD +100 /);
    expect(cellTable([[pointOf(1)]], heads)).to.include('over 1 seed\n');
  });
});
