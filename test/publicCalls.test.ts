import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { lastValueFrom } from 'rxjs';
import ts from 'typescript';
import * as sluice from '../src/index.ts';

const source = fileURLToPath(new URL('../src', import.meta.url));

/** What an untyped caller may give in place of what is asked for. */
const wrong: readonly (readonly [shown: string, value: unknown])[] = [
  ['nothing', undefined],
  ['null', null],
  ['a number', 7],
  ['true', true],
  ['a text', 'no such file'],
  ['a record', {}],
  ['a list', []],
  ['a function', () => 1],
  ['a list of numbers', [1]],
  ['a Map', new Map()],
  ['a symbol', Symbol('x')],
  ['a bigint', 3n],
  ['a promise', Promise.resolve()],
];

const rows = { x: [1, 2, 3, 4, 5, 6, 7, 8], y: [2, 4, 6, 8, 10, 12, 14, 17] };

/** Calls, and goes on until there is a result: of a promise, an iterable or an Observable. */
async function resultOf(call: () => unknown): Promise<unknown> {
  const made = call();
  if (typeof (made as PromiseLike<unknown> | null)?.then === 'function') return made;
  if (typeof (made as { subscribe?: unknown } | null)?.subscribe === 'function')
    return lastValueFrom(made as Parameters<typeof lastValueFrom>[0], { defaultValue: null });
  if (typeof made === 'object' && made !== null && Symbol.asyncIterator in made)
    for await (const batch of made as AsyncIterable<unknown>) return batch;
  return made;
}

type Call = (...given: readonly unknown[]) => unknown;

async function expectNoBug(name: string, call: () => unknown): Promise<void> {
  try {
    await resultOf(call);
  } catch (error) {
    // By its name, because modules that are loaded on demand may have a copy of the class here.
    expect((error as Error)?.name, `${name}: ${(error as Error)?.message}`).to.equal('ArgumentError');
    expect((error as sluice.ArgumentError).detail, name).to.not.be.empty;
  }
}

describe('every public call', () => {
  it('refuses a wrong first argument, a wrong source and wrong options with an ArgumentError', async function () {
    this.timeout(120_000);
    const { model } = await sluice.estimate(rows, { target: 'y' });
    const calls = Object.entries(sluice).filter(([name, call]) => typeof call === 'function' && !/Error$/.test(name));
    expect(calls.length).to.be.above(30);
    for (const [name, value] of calls) {
      const call = value as unknown as Call;
      const takesRows = ['estimate', 'estimatePrivately', 'inspect', 'batches', 'split'].includes(name);
      const takesModel = ['predict', 'evaluate'].includes(name);
      for (const [shown, bad] of wrong) {
        await expectNoBug(`${name}(${shown})`, () => call(bad));
        if (takesRows) await expectNoBug(`${name}(rows, ${shown})`, () => call(rows, bad));
        if (takesModel) {
          await expectNoBug(`${name}(${shown}, rows)`, () => call(bad, rows));
          await expectNoBug(`${name}(model, ${shown})`, () => call(model, bad));
          await expectNoBug(`${name}(model, rows, ${shown})`, () => call(model, rows, bad));
        }
      }
    }
  });

  it('says which argument it is, and the way out', async () => {
    const { model } = await sluice.estimate(rows, { target: 'y' });
    const refusal = async (call: () => unknown): Promise<sluice.ArgumentError> =>
      resultOf(call).then(
        () => expect.fail('was not refused'),
        reason => reason,
      );
    const given = sluice as unknown as Readonly<Record<string, Call>>;
    for (const [call, argument, message] of [
      [() => given.predict!({}, rows), 'model', /^model must be a model.*it is not a sluice model$/],
      [() => given.predict!(JSON.stringify(model), rows), 'model', /; read it with `parseModel`$/],
      [() => given.evaluate!({ model, notes: [] }, rows), 'model', /; give its `model`$/],
      [() => given.predict!(Promise.resolve(model), rows), 'model', /got "a Promise"; await it first$/],
      [() => given.estimate!(rows), 'options', /^the options must be an object, got undefined$/],
      [() => given.estimatePrivately!(rows), 'options', /^the options must be an object, got undefined$/],
      [() => given.predict!(model, rows, { keeep: ['x'] }), 'keeep', /; the nearest is `keep`$/],
      [() => given.nesterov!({ stepsize: 1, momentum: 0 }), 'stepsize', /; the nearest is `stepSize`$/],
      [() => given.planFit!({ rows: 8, features: 1, steps: 2 }), 'loss', /^loss must be a loss/],
      [() => given.split!(rows, { target: 'y' }), 'chunks', /^chunks must be the numbers of rows/],
      [() => given.fromSql!(7), 'sql', /^sql must be the text of a query, got 7$/],
      [() => given.descend!({}), 'plan', /^plan must be a plan/],
    ] as const) {
      const error = await refusal(call);
      expect(error.message).to.match(message);
      expect(error.detail.argument, error.message).to.equal(argument);
    }
  });

  it('reads a model from its text or from what JSON.parse made of it, with or without a name', async () => {
    const { model } = await sluice.estimate(rows, { target: 'y' });
    const text = JSON.stringify(model);
    expect(sluice.parseModel(text)).to.deep.equal(JSON.parse(text));
    expect(sluice.parseModel(JSON.parse(text))).to.deep.equal(JSON.parse(text));
    expect(() => sluice.parseModel('{')).to.throw(sluice.ArgumentError, /^the model: is not JSON; /);
    expect(() => sluice.parseModel({}, 'm.json')).to.throw(sluice.ArgumentError, /^m\.json: is not a sluice model; /);
  });
});

describe('every ArgumentError of the program', () => {
  it('carries a code and the data that docs/errors.md promises', () => {
    const promised: Readonly<Record<string, RegExp>> = {
      ERR_ARGUMENT: /\bargument\b/,
      ERR_CONFLICT: /\w/,
    };
    let seen = 0;
    for (const path of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
      if (!path.endsWith('.ts')) continue;
      const file = ts.createSourceFile(path, readFileSync(join(source, path), 'utf8'), ts.ScriptTarget.Latest, true);
      const visit = (node: ts.Node): void => {
        if (ts.isNewExpression(node) && node.expression.getText() === 'ArgumentError') {
          const { line } = file.getLineAndCharacterOfPosition(node.getStart());
          const where = `${path}:${line + 1}`;
          const [, code, detail] = node.arguments!;
          seen++;
          // The facts of another error, or of an argument that they were passed in.
          if (code === undefined || !ts.isStringLiteral(code)) {
            expect(node.getText(), where).to.match(/\.\.\.factsOf\(|\bcode,\n/);
            return;
          }
          expect(detail, where).to.not.equal(undefined);
          if (!ts.isObjectLiteralExpression(detail!)) return;
          const names = detail.properties.map(property => property.getText()).join(' ');
          expect(names, where).to.match(promised[code.text] ?? /\w/);
        }
        ts.forEachChild(node, visit);
      };
      visit(file);
    }
    expect(seen).to.be.above(200);
  });
});
