import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseBounds as parse } from '../../../src/cli/flags/parse.ts';
import { ArgumentError } from '../../../src/index.ts';

describe('--bounds', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bounds-'));
  after(() => rmSync(folder, { recursive: true }));
  const parseBounds = (text: string) => parse('--bounds', text);
  const file = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };

  it('are pairs of numbers by column, as text or in a JSON file', () => {
    const expected = { x1: [-1, 1], 'a:b': [1e-3, 0.5] };
    expect(parseBounds('x1:-1..1, a:b:1e-3..0.5')).to.deep.equal(expected);
    expect(parseBounds(file('bounds.json', '{"x1": [-1, 1], "a:b": [0.001, 0.5]}'))).to.deep.equal(expected);
  });

  it('may be for a name that every object has', () => {
    expect(parseBounds('constructor:0..2')).to.deep.equal({ constructor: [0, 2] });
  });

  it('are refused where they cannot be read', () => {
    for (const [text, problem] of [
      ['x=0..10,y:0..1', '--bounds must look like \'x1:-1..1,y:0..10\', got "x=0..10"'],
      ['x:a..10,y:0..1', '--bounds x must be a number'],
      ['x:0..1,x:0..2', '--bounds must name "x" once, got it twice; leave one of them out'],
      ['nowhere.json', 'does not exist'],
      [file('no.json', 'x,y'), 'is not JSON'],
      [file('list.json', '[[0, 1]]'), 'does not hold a JSON object'],
      [file('single.json', '{"x": [0]}'), 'has no pair of numbers for "x"'],
      [file('three.json', '{"x": [0, 1, 2]}'), 'has no pair of numbers for "x"'],
    ] as const)
      expect(() => parseBounds(text), text).to.throw(ArgumentError, problem);
  });
});
