import { expect } from 'chai';
import fc from 'fast-check';
import { decodeTime } from '../../../src/source/text/decodeTime.ts';
import { holdsForAll } from '../../laws/holdsForAll.ts';

function decoded(text: string): number | undefined {
  // Between digits, which it must not take for its own.
  const bytes = Buffer.from(`1${text}1`);
  const out = new Float64Array(1);
  return decodeTime(bytes, 1, bytes.length - 1, out, 0) ? out[0] : undefined;
}

const anyDate = fc.date({
  min: new Date('0000-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59Z'),
  noInvalidDate: true,
});

describe('decodeTime', () => {
  it('agrees with Date on every millisecond of the years 0 to 9999', () => {
    holdsForAll(
      fc.property(anyDate, date => {
        const text = date.toISOString();
        expect(decoded(text)).to.equal(date.getTime() / 1000);
        expect(decoded(text.slice(0, 10))).to.equal(Date.parse(text.slice(0, 10)) / 1000);
      }),
    );
  });

  it('agrees with Date on every day of a leap cycle, and on which days there are', () => {
    const two = (value: number): string => String(value).padStart(2, '0');
    for (let year = 1897; year < 2305; year += year % 100 === 4 ? 92 : 1)
      for (let month = 1; month <= 12; month++)
        for (let day = 1; day <= 31; day++) {
          const date = new Date(Date.UTC(year, month - 1, day));
          const exists = date.getUTCDate() === day;
          expect(decoded(`${year}-${two(month)}-${two(day)}`)).to.equal(exists ? date.getTime() / 1000 : undefined);
        }
  });

  it('is UTC unless an offset says otherwise', () => {
    const noon = Date.parse('2024-02-29T12:00:00Z') / 1000;
    for (const text of [
      '12:00',
      '12:00:00',
      '12:00:00.000000',
      '12:00Z',
      '12:00:00z',
      '14:30+02:30',
      '14:30+0230',
      '09:00:00.0-03',
    ])
      for (const between of ['T', 't', ' ']) expect(decoded(`2024-02-29${between}${text}`), text).to.equal(noon);
  });

  it('rounds microseconds as a division would', () => {
    holdsForAll(
      fc.property(fc.integer({ min: 0, max: 2e15 }), micros => {
        const date = new Date(Math.floor(micros / 1e6) * 1000).toISOString().slice(0, 19);
        expect(decoded(`${date}.${String(micros % 1e6).padStart(6, '0')}`)).to.equal(micros / 1e6);
      }),
    );
    expect(decoded('1970-01-01T00:00:01.123456789')).to.equal(1.123456789);
  });

  it('refuses what is no date, and what no clock shows', () => {
    for (const text of [
      '',
      '2024',
      '2024-01',
      '20240101',
      '2024-1-01',
      '2024-13-01',
      '2024-00-10',
      '2024-01-00',
      '2024-02-30',
      '2023-02-29',
      '1900-02-29',
      '24-01-2024',
      '2024/01/01',
      '2024-01-01T',
      '2024-01-01T1',
      '2024-01-01T12',
      '2024-01-01T24:00',
      '2024-01-01T12:60',
      '2024-01-01T12:00:60',
      '2024-01-01T12:00:',
      '2024-01-01T12:00:0',
      '2024-01-01T12:00:00.',
      '2024-01-01T12:00:00.1234567890',
      '2024-01-01T12:00.5',
      '2024-01-01T12:00Zx',
      '2024-01-01T12:00+1',
      '2024-01-01T12:00+01:0',
      '2024-01-01T12:00+01-00',
      '2024-01-01T12:00+24:00',
      '2024-01-01T12:00+',
      '2024-01-01x12:00',
      'not a date',
    ])
      expect(decoded(text), text).to.equal(undefined);
  });
});
