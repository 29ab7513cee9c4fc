import { expect } from 'chai';
import fc from 'fast-check';
import { jsonText } from '../../../src/source/text/jsonTokens.ts';
import { splitNdjson } from '../../../src/source/text/openNdjson.ts';
import { casesOf } from '../../laws/holdsForAll.ts';
import { chunks, cutAt } from './chunks.ts';
import { failure } from './failure.ts';
import { readCells } from './readCells.ts';

const QUOTE = '"'.charCodeAt(0);
const jsonOf = (bytes: Buffer, start: number, end: number): unknown =>
  bytes[start - 1] === QUOTE ? jsonText(bytes, start, end) : JSON.parse(bytes.toString('utf8', start, end));

const keys = ['a', 'b', 'ключ', 'a"b', 'c\\', '', '__proto__'];
const read = (bytes: AsyncIterable<Uint8Array>) => readCells(bytes, splitNdjson('test', keys), keys.length, jsonOf);
const expected = (lines: readonly string[]): unknown[][] =>
  lines.map(line => {
    const object = JSON.parse(line);
    return keys.map(key => (Object.hasOwn(object, key) ? object[key] : null));
  });

const value = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(number => (Object.is(number, -0) ? 0 : number)),
  fc.integer(),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('"', '\\', '\n', 'é', '😀', '\u0000', '{', '}', ',') }),
);
const nested = fc.jsonValue({ maxDepth: 3 }).filter(json => typeof json === 'object' && json !== null);
const gap = fc.string({ unit: fc.constantFrom(' ', '\t'), maxLength: 2 });
const member = fc.tuple(fc.constantFrom(...keys, 'other'), fc.oneof({ weight: 5, arbitrary: value }, nested), gap, gap);

/** Keys in any order, some twice, some escaped without need, spaces in between. */
const line = fc.tuple(fc.array(member, { maxLength: 6 }), fc.boolean(), gap).map(([members, isEscaped, space]) => {
  const text = (json: unknown): string =>
    isEscaped
      ? JSON.stringify(json).replace(/[а-яё]/g, c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
      : JSON.stringify(json);
  const body = members.map(
    ([key, json, before, after]) => `${before}${text(key)}${after}:${before}${text(json)}${after}`,
  );
  return `${space}{${body.join(',')}${space}}${space}`;
});
const file = fc.array(line, { minLength: 1, maxLength: 6 });

describe('splitNdjson', () => {
  it('agrees with JSON.parse: any order, missing and repeated keys, escapes, unicode, spaces, nested values', () =>
    fc.assert(
      fc.asyncProperty(
        file,
        fc.constantFrom('\n', '\r\n', '\n\n'),
        fc.integer({ min: 1, max: 20 }),
        async (lines, newline, size) => {
          expect(await read(chunks(lines.join(newline), size))).to.deep.equal(expected(lines));
          expect(await read(chunks(lines.join(newline) + newline))).to.deep.equal(expected(lines));
        },
      ),
      { seed: 1, numRuns: casesOf(200) },
    ));

  it('finds the same rows wherever the bytes are cut', () =>
    fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 2 }), async lines => {
        const bytes = Buffer.from(lines.join('\n'));
        for (let place = 0; place <= bytes.length; place++)
          expect(await read(cutAt(bytes, place))).to.deep.equal(expected(lines));
      }),
      { seed: 2, numRuns: casesOf(10) },
    ));

  it('refuses exactly the lines that JSON.parse does not take for an object', () => {
    const slip = fc.tuple(
      fc.nat(),
      fc.constantFrom('', ' ', '"', '\\', '{', '}', '[', ']', ',', ':', '0', '1', '-', '.', 'e', 't', 'null', '\t'),
      fc.boolean(),
    );
    const broken = fc.tuple(line, fc.array(slip, { minLength: 1, maxLength: 3 })).map(([text, slips]) =>
      slips.reduce((damaged, [where, what, replaces]) => {
        const at = where % (damaged.length + 1);
        // By way of UTF-8, which holds no half of a character.
        return Buffer.from(damaged.slice(0, at) + what + damaged.slice(replaces ? at + 1 : at)).toString();
      }, text),
    );
    const isObject = (text: string): boolean => {
      try {
        const json = JSON.parse(text);
        return typeof json === 'object' && json !== null && !Array.isArray(json);
      } catch {
        return false;
      }
    };
    return fc.assert(
      fc.asyncProperty(broken, async text => {
        if (text.trim() === '') return;
        if (isObject(text)) expect(await read(chunks(text))).to.deep.equal(expected([text]));
        else
          expect(await failure(() => read(chunks(text)))).to.match(
            /^test, row 0, counted from 0: is not a JSON object/,
          );
      }),
      { seed: 3, numRuns: casesOf(2000) },
    );
  });

  it('names the row of an invalid line, counting objects', async () => {
    const message = await failure(() => read(chunks('{"a":1}\n\n{"a":2}\n{"a":}\n')));
    expect(message).to.equal(
      'test, row 2, counted from 0: is not a JSON object; every line must be one complete object, such as {"x":1.5,"y":true}',
    );
  });

  it('refuses what follows an object on its line', async () => {
    for (const text of [
      '{"a":1}{"a":2}',
      '{"a":1},',
      '{"a":1} x',
      '[{"a":1}]',
      '1',
      'null',
      '{"a":NaN}',
      "{'a':1}",
      '{"a":01}',
      '{"a":+1}',
      '{"a":.5}',
      '{"a":1.}',
    ])
      expect(await failure(() => read(chunks(text))), text).to.include('row 0');
  });

  it('makes a row of nulls of a line that is no object where malformed records are nulls', async () => {
    const lenient = (text: string, size?: number) =>
      readCells(chunks(text, size), splitNdjson('test', ['a', 'b'], 'nulls'), 2, jsonOf);
    for (const bad of ['{"a":7,', '{"a":7,"b":8}}', '[1]', '7', 'null', '{"a":"7}', '{"a":7 "b":8}']) {
      for (const size of [1, 5, Infinity]) {
        expect(await lenient(`{"a":1,"b":2}\n${bad}\n{"b":4,"a":3}\n`, size), bad).to.deep.equal([
          [1, 2],
          [null, null],
          [3, 4],
        ]);
        expect(await lenient(bad, size), bad).to.deep.equal([[null, null]]);
      }
    }
  });
});
