import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableFromArrays, tableToIPC } from 'apache-arrow';
import { expect } from 'chai';
import { openTable } from '../../../src/source/read/openTable.ts';
import { fileError } from '../../../src/source/table/fileError.ts';
import { chunks } from '../text/chunks.ts';
import { failure } from '../text/failure.ts';
import { kindsOf, readColumn } from '../text/readTable.ts';

describe('openTable', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-'));
  after(() => rmSync(folder, { recursive: true }));
  const file = (name: string, content: string | Uint8Array): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const arrow = tableFromArrays({ x: Float64Array.of(1, 2.5, -3) });
  const contents = {
    csv: 'x\n1\n2.5\n-3\n',
    ndjson: '{"x":1}\n{"x":2.5}\n{"x":-3}\n',
    'arrow-file': tableToIPC(arrow, 'file'),
    'arrow-stream': tableToIPC(arrow, 'stream'),
  };

  for (const [format, content] of Object.entries(contents)) {
    it(`opens a file in the format ${format}, whatever its name`, async () => {
      const path = file('table.xyz', content);
      const table = await openTable(path);
      expect([table.format, table.name]).to.deep.equal([format, path]);
      expect(await readColumn(table, 'x')).to.deep.equal([1, 2.5, -3]);
      await table.close();
    });
  }

  for (const format of ['csv', 'ndjson', 'arrow-stream'] as const) {
    it(`opens standard input in the format ${format}, whatever its chunks`, async () => {
      for (const size of [1, 5, 1000]) {
        const table = await openTable('-', { stdin: chunks(contents[format], size) });
        expect([table.format, table.name]).to.deep.equal([format, 'standard input']);
        expect(await readColumn(table, 'x')).to.deep.equal([1, 2.5, -3]);
        await table.close();
      }
    });
  }

  it('opens a Parquet file', async () => {
    const table = await openTable('node_modules/vega-datasets/data/flights-3m.parquet');
    expect(table).to.include({ format: 'parquet', rows: 3_000_000 });
    await table.close();
  });

  it('reads a named pipe as the stream that it is', async () => {
    if (process.platform === 'win32') return;
    const path = join(folder, 'pipe');
    execFileSync('mkfifo', [path]);
    spawn('sh', ['-c', `printf 'x\\n1\\n2.5\\n-3\\n' > "$0"`, path]);
    const table = await openTable(path);
    expect(await readColumn(table, 'x')).to.deep.equal([1, 2.5, -3]);
    expect(await failure(() => readColumn(table, 'x'))).to.include(`${path}: can be read only once`);
  });

  it('passes declared types on to text, and compares them with those that other formats carry', async () => {
    const types = { x: 'text' } as const;
    expect(kindsOf(await openTable(file('a.csv', contents.csv), { types }))).to.deep.equal({ x: 'text' });
    expect(kindsOf(await openTable('-', { types, stdin: chunks(contents.ndjson) }))).to.deep.equal({
      x: 'text',
    });
    const path = file('a.arrow', contents['arrow-file']);
    const arrow = await openTable(path, { types: { x: 'exact' } });
    expect(kindsOf(arrow)).to.deep.equal({ x: 'float' });
    await arrow.close();
    expect(await failure(() => openTable(path, { types }))).to.match(
      /column "x": is .*Float64, but declared "text"; the format arrow-file has its own types, and only .*: leave the declaration out, or convert the column to text with `fromSql`: CAST\(x AS VARCHAR\)$/i,
    );
    expect(await failure(() => openTable(path, { types: { y: 'float' } }))).to.include(
      'column "y": has a declared type, but there is no such column; the columns are x',
    );
  });

  it('refuses formats that need seeking from standard input, and ends it', async () => {
    for (const [content, what] of [
      [contents['arrow-file'], 'an Arrow file'],
      ['PAR1\x15\x04\x15\x00', 'a Parquet file'],
    ] as const) {
      let ended = false;
      async function* stdin(): AsyncGenerator<Uint8Array> {
        try {
          yield* chunks(content, 16);
        } finally {
          ended = true;
        }
      }
      expect(await failure(() => openTable('-', { stdin: stdin() }))).to.equal(
        `standard input: ${what} cannot be read from a stream; save it as a file, or write an Arrow stream`,
      );
      expect(ended).to.equal(true);
    }
  });

  it('refuses standard input that nobody gave', async () => {
    let message = '';
    await openTable('-').catch(error => {
      message = error.message;
    });
    expect(message).to.equal('stdin must be given to open "-", got undefined');
  });

  it('refuses an empty file, an empty stream, a folder and a file that is not there', async () => {
    expect(await failure(() => openTable(file('empty.csv', '')))).to.include('is empty');
    expect(await failure(() => openTable('-', { stdin: chunks('') }))).to.include('standard input: is empty');
    expect(await failure(() => openTable(`${folder}/`))).to.equal(
      `${folder}/: is a folder; name its files, for example "${folder}/*"`,
    );
    expect(await failure(() => openTable(join(folder, 'absent.csv')))).to.include(
      'absent.csv: there is no such file; check',
    );
    expect(await failure(() => openTable(join(file('plain', 'x'), 'below')))).to.include('there is no such file');
  });

  it('says so where a file may not be read', () => {
    const refused = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
    expect(fileError('secret.csv', refused).message).to.equal(
      'secret.csv: cannot be read by this user; check the permissions of the file and its folders',
    );
    const broken = Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' });
    expect(fileError('broken.csv', broken).message).to.equal('broken.csv: cannot be read: EIO: i/o error, read');
  });
});
