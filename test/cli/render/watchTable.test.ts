import { expect } from 'chai';
import { displayWidth } from '../../../src/cli/render/text.ts';
import { plainLine, tableOf, watchTable } from '../../../src/cli/render/watchTable.ts';
import { liveEstimate, privateEstimate } from '../../support/liveEstimates.ts';

/** A screen that understands what a live table writes. */
function screen(columns: number, rows: number) {
  let lines: string[] = [''];
  let row = 0;
  let column = 0;
  return {
    isTTY: true,
    columns,
    rows,
    write: (text: string): boolean => {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: what terminals are told.
      for (const [part] of text.matchAll(/\x1b\[\d*[AKJ]|[\r\n]|[^\x1b\r\n]+/g)) {
        if (part === '\r') column = 0;
        else if (part === '\n') [row, column] = [row + 1, 0];
        else if (/A$/.test(part) && part.startsWith('\x1b')) row -= Number(part.slice(2, -1));
        else if (part === '\x1b[K') lines[row] = lines[row]!.slice(0, column);
        else if (part === '\x1b[J') lines = [...lines.slice(0, row), lines[row]!.slice(0, column)];
        else {
          lines[row] = lines[row]!.slice(0, column) + part + lines[row]!.slice(column + part.length);
          column += part.length;
        }
        while (lines.length <= row) lines.push('');
      }
      expect(row).to.be.at.least(0);
      return true;
    },
    lines: () => lines,
  };
}

describe('the live table', () => {
  it('has the estimate, its error and both intervals, numbers below each other', () => {
    const table = tableOf(liveEstimate(99)).split('\n');
    expect(table[0]).to.match(/^ +estimate +std\. error +95 % now +95 % at any time$/);
    expect(table[2]).to.match(/^ {2}hour +-1\.\d{4} +0\.0300 +-1\.\d{4} +\.\. +-1\.\d{4} +-1\.\d{4} +\.\. +-1\.\d{4}/);
    expect(tableOf(liveEstimate(0))).to.match(/hour .* -$/m);
  });

  it('leaves columns out rather than be wider than the terminal', () => {
    for (const width of [40, 60, 80, 100, 120]) {
      const lines = tableOf(liveEstimate(99), width).split('\n');
      expect(Math.max(...lines.map(displayWidth)), lines.join('\n')).to.be.at.most(width);
    }
    expect(tableOf(liveEstimate(99), 70))
      .to.include('at any time')
      .and.not.include('std. error');
  });

  it('is drawn in place, whatever its height was', () => {
    const terminal = screen(100, 30);
    let time = 0;
    const timed = watchTable({ quiet: false, stream: terminal, now: () => (time += 1000) });
    timed.tell({ phase: 'waiting', progress: { rows: 312, of: 1000 }, problems: {} });
    expect(terminal.lines()).to.deep.equal(['waiting for the pilot: 312 of 1.00 k rows']);
    timed.show(liveEstimate(3));
    timed.tell({ phase: 'running', progress: null, problems: { source: 'the broker is away' } });
    const tall = terminal.lines().length;
    expect(terminal.lines().at(-1)).to.equal('the broker is away');
    timed.tell({ phase: 'running', progress: null, problems: {} });
    expect(terminal.lines()).to.have.length(tall - 1);
    expect(terminal.lines().filter(line => line.includes('hour'))).to.have.length(1);
    timed.show(liveEstimate(7, { alarm: { chunk: 6, coefficient: 'hour' } }));
    timed.end();
    expect(terminal.lines()[0]).to.match(/^fare {2}chunk 7 {2}8\.00 k rows/);
    expect(terminal.lines()[1]).to.equal('alarm: a change at chunk 6, most clearly in hour');
    expect(terminal.lines().at(-1)).to.equal('');
  });

  it('is never taller than the terminal, nor wider, and shows no control characters', () => {
    const terminal = screen(50, 10);
    let time = 0;
    const table = watchTable({ quiet: false, stream: terminal, now: () => (time += 1000) });
    const names = Array.from({ length: 40 }, (_, k) => `feature\x1b[2J ${k} of many, with a long name`);
    for (let chunk = 0; chunk < 5; chunk++) table.show(liveEstimate(chunk, {}, names));
    expect(terminal.lines().length).to.be.at.most(9);
    expect(Math.max(...terminal.lines().map(displayWidth))).to.be.at.most(50);
    expect(terminal.lines().join('\n')).to.match(/… and \d+ more/);
  });

  it('is a line every ten seconds where there is no terminal, alarms and problems at once', () => {
    const lines: string[] = [];
    let time = 0;
    const stream = { write: (text: string) => lines.push(text) > 0, isTTY: false, columns: 80, rows: 24 };
    const table = watchTable({ quiet: false, stream, now: () => time });
    for (let chunk = 0; chunk < 25; chunk++) {
      table.show(liveEstimate(chunk));
      time += 1000;
    }
    expect(lines).to.have.length(3);
    expect(lines[1]).to.match(
      /^fare {2}chunk 10 {2}11\.0 k rows {2}1\.00 k rows\/s {2}340 waiting {2}error 0\.\d+ {2}12 dead letters {2}distance 0\.01\d+ \(0\.000\d+\) .* 2 more\n$/,
    );
    table.show(liveEstimate(25, { alarm: { chunk: 25, coefficient: 'ho\nur' } }));
    expect(lines.at(-1)).to.equal('alarm: a change at chunk 25, most clearly in ho\\nur\n');
    table.tell({ phase: 'running', progress: null, problems: { source: 'the broker is away' } });
    table.tell({ phase: 'running', progress: null, problems: { source: 'the broker is away' } });
    table.tell({ phase: 'running', progress: null, problems: {} });
    expect(lines.slice(-2)).to.deep.equal(['the broker is away\n', 'the problem is over\n']);
    table.end();
    expect(lines.at(-1)).to.match(/^fare {2}chunk 25/);
  });

  it('says of a private run what it costs, and nothing raw', () => {
    const { rows, ...rest } = privateEstimate(4);
    const shown = { ...rest, rows: { ...rows, used: null }, progressiveError: null, deadLetters: null };
    expect(plainLine(shown, 10))
      .to.include('epsilon 1, delta 0.000001')
      .and.not.match(/error|dead/);
  });

  it('is silent where it should be', () => {
    const table = watchTable({ quiet: true, stream: { ...screen(80, 24), write: () => expect.fail('it spoke') } });
    table.show(liveEstimate(1));
    table.end();
  });
});
