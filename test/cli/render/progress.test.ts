import { expect } from 'chai';
import { progress, short } from '../../../src/cli/render/progress.ts';

/** A stream that keeps what is written, and a clock that is set by hand. */
function stage(isTTY: boolean) {
  const written: string[] = [];
  let clock = 1_000_000;
  const stream = {
    isTTY,
    columns: 120,
    write: (text: string) => written.push(text) > 0,
  } as unknown as NodeJS.WriteStream;
  return { written, stream, now: () => clock, wait: (milliseconds: number) => (clock += milliseconds) };
}

describe('progress', () => {
  it('redraws a line on a terminal, with rows, speed and time left, and clears it at the end', () => {
    const { written, stream, now, wait } = stage(true);
    const shown = progress({ quiet: false, stream, now });
    shown.phase('step 2/4');
    wait(2000);
    shown.rows(1_000_000, 4_000_000);
    expect(written[0]).to.include('step 2/4').and.include('25 %');
    expect(written[0]).to.include('1.00 M of 4.00 M rows').and.include('500 k rows/s').and.include('6 s left');
    shown.end();
    expect(written.at(-1)).to.equal('\r\x1b[K');
  });

  it('measures speed and time left by the rows since the phase began', () => {
    const { written, stream, now, wait } = stage(true);
    const shown = progress({ quiet: false, stream, now });
    shown.phase('pilot');
    wait(1000);
    shown.rows(1_000_000, 4_000_000);
    shown.phase('step 1/2');
    wait(1000);
    shown.rows(1_100_000, 4_000_000);
    expect(written.at(-1)).to.include('100 k rows/s').and.include('29 s left');
    // A pass of its own, in the same phase.
    shown.rows(0, 4_000_000);
    wait(1000);
    shown.rows(400_000, 4_000_000);
    expect(written.at(-1)).to.include('400 k of 4.00 M').and.include('400 k rows/s').and.include('9 s left');
  });

  it('has no minute of 60 seconds left', () => {
    const { written, stream, now, wait } = stage(true);
    const left = (seconds: number): string => {
      const shown = progress({ quiet: false, stream, now });
      wait(1000);
      shown.rows(1000, 1000 * (1 + seconds));
      return /(\S.*) left$/.exec(written.at(-1)!.split('rows/s')[1]!)![1]!;
    };
    expect([59.2, 60, 61.1, 119.7, 3599.9].map(left)).to.deep.equal([
      '1 min 0 s',
      '1 min 0 s',
      '1 min 2 s',
      '2 min 0 s',
      '1 h 0 min',
    ]);
  });

  it('counts rows alone where nobody knows how many there are', () => {
    const { written, stream, now, wait } = stage(true);
    const shown = progress({ quiet: false, stream, now });
    wait(1000);
    shown.rows(2000, Infinity);
    expect(written).to.deep.equal(['\r\x1b[Kreading  2.00 k rows  2.00 k rows/s']);
  });

  it('writes a line every ten seconds elsewhere', () => {
    const { written, stream, now, wait } = stage(false);
    const shown = progress({ quiet: false, stream, now });
    for (let second = 1; second <= 25; second++) {
      wait(1000);
      shown.rows(second, 100);
    }
    expect(written).to.have.length(2);
    expect(written[0]).to.match(/\n$/).and.include('10 of 100 rows');
  });

  it('is silent when it is told to be', () => {
    const { written, stream, now, wait } = stage(true);
    const shown = progress({ quiet: true, stream, now });
    wait(60_000);
    shown.rows(1, 2);
    shown.end();
    expect(written).to.deep.equal([]);
  });

  it('shortens numbers to three digits and a unit', () => {
    expect([999, 1000, 1_234_567, 2.5e9].map(short)).to.deep.equal(['999', '1.00 k', '1.23 M', '2.50 G']);
  });
});
