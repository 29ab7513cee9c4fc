import { expect } from 'chai';
import { detectFormat } from '../../../src/source/table/detectFormat.ts';
import { failure } from '../text/failure.ts';

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
const detect = (text: string, name = 'data') => detectFormat(Buffer.from(text), name);

describe('detectFormat', () => {
  it('knows the binary formats by their first bytes', () => {
    expect(detectFormat(latin('ARROW1\0\0\xff\xff\xff\xff'), 'x')).to.equal('arrow-file');
    expect(detectFormat(latin('PAR1\x15\x04\x15'), 'x')).to.equal('parquet');
    expect(detectFormat(latin('\xff\xff\xff\xff\x78\x01\0\0\x10\0\0\0'), 'x')).to.equal('arrow-stream');
  });

  it('does not take any four bytes of ones for an Arrow stream', async () => {
    for (const length of ['\x01\0\0\0', '\xff\xff\xff\xff', '\0\0\0\x7f', ''])
      expect(await failure(() => detectFormat(latin(`\xff\xff\xff\xff${length}`), 'x')), length).to.include('x: is ');
  });

  it('takes text that begins with an object for NDJSON, any other for CSV', () => {
    for (const text of ['{"a":1}\n', ' \r\n\t{ "a"', '{}', '{', '\ufeff{"a":1}'])
      expect(detect(text), text).to.equal('ndjson');
    for (const text of ['a,b\n', '1,2\n', '\ufeffa;b', 'größe\tb', '{x},y\n', '"{"', '[a],b\n', ' '])
      expect(detect(text), text).to.equal('csv');
  });

  it('takes letters that begin a binary format for text where only text follows', () => {
    for (const text of ['PAR1,PAR2\n1,2\n', 'PARENT,CHILD\n', 'FEA1;FEA2\n', 'BZh\n1\n', 'PK,x\n', 'ARROW1,b\n'])
      expect(detect(text), text).to.equal('csv');
  });

  it('follows the content where the name says something else', () => {
    expect(detect('a,b\n', 'data.parquet')).to.equal('csv');
    expect(detect('{"a":1}', 'data.csv')).to.equal('ndjson');
    expect(detectFormat(latin('PAR1\x15\0'), 'data.csv')).to.equal('parquet');
  });

  it('does not mind a character cut in two', () => {
    const bytes = Buffer.from('a,grün,漢,😀');
    for (let length = 1; length <= bytes.length; length++)
      expect(detectFormat(bytes.subarray(0, length), 'x')).to.equal('csv');
  });

  it('refuses an empty file', async () => {
    expect(await failure(() => detect('', 'data.csv'))).to.match(/^data.csv: is empty; Sluice reads Arrow/);
  });

  it('refuses what must be unpacked, converted or decrypted first, and says how', async () => {
    for (const [bytes, message] of [
      [
        '\x1f\x8b\x08',
        'is compressed with gzip; decompress it first: "gunzip -c x > x.decompressed"; or pipe it, if you know its number of rows N: `gunzip -c x | …`',
      ],
      ['\x28\xb5\x2f\xfd', 'is compressed with zstd; decompress it first: "zstd -dc x >'],
      ['\x04\x22\x4d\x18', 'is compressed with lz4'],
      ['\xfd7zXZ\0', 'is compressed with xz'],
      ['BZh91AY&SY\x01', 'is compressed with bzip2'],
      ['PK\x03\x04', 'is a zip archive or a spreadsheet; unpack it'],
      ['PARE\x20\0\0\0', 'is an encrypted Parquet file; write it without'],
      ['FEA1\0\0\0\0', 'is a Feather file of version 1; write it as version 2'],
      ['\xff\xfea\0,\0', 'is text in UTF-16; convert it'],
      ['\xfe\xff\0a', 'is text in UTF-16'],
      ['gr\xf6\xdfe,b\n', 'is text, but not in UTF-8; convert it'],
    ] as const)
      expect(await failure(() => detectFormat(latin(bytes), 'x'))).to.include(`x: ${message}`);
    expect(await failure(() => detect('[{"a":1}]', 'x.json'))).to.include('is a JSON array; write one object per line');
  });

  it('names the files of a command that decompresses, in quotes where a shell needs them', async () => {
    const refusalOf = (name: string): Promise<string> => failure(() => detectFormat(latin('\x1f\x8b\x08'), name));
    expect(await refusalOf('in/day 1.csv.gz')).to.include("\"gunzip -c 'in/day 1.csv.gz' > 'in/day 1.csv'\"");
    expect(await refusalOf('day.csv.gz')).to.include('`gunzip -c day.csv.gz | …`');
    expect(await refusalOf('standard input')).to.equal(
      'standard input: is compressed with gzip; decompress it first: put "gunzip -c |" before the command',
    );
  });

  it('lists what it can read where it knows nothing', async () => {
    for (const bytes of ['\x00\x01\x02', '\x7fELF', 'a,b\n\0', '\x89PNG\r\n\x1a\n'])
      expect(await failure(() => detectFormat(latin(bytes), 'x'))).to.equal(
        'x: is in an unknown format; Sluice reads Arrow files and streams, Parquet, CSV and NDJSON',
      );
  });
});
