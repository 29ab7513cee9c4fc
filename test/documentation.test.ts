import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from 'chai';
import ts from 'typescript';
import { estimate } from '../src/fit/estimate.ts';
import { normal } from '../src/math/random/normal.ts';
import { seeded } from '../src/math/random/seeded.ts';
import { openPredictionSink } from '../src/sink/table/openPredictionSink.ts';

const project = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** The files that package.json exports, by the name that a user imports. */
const entries: readonly { readonly name: string; readonly file: string }[] = Object.entries<{
  types?: string;
}>(JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')).exports).flatMap(([name, { types }]) =>
  types === undefined ? [] : [{ name, file: join(project, types.replace('./dist/', 'src/').replace('.d.ts', '.ts')) }],
);

interface PublicSymbol {
  readonly entry: string;
  readonly file: string;
  readonly name: string;
  readonly symbol: ts.Symbol;
  readonly isValue: boolean;
}

/** Members of interfaces that are filled in by callers: their names alone do not say what is left out means. */
const FILLED_IN = /(Options|Settings|Request|Run|Plan)$/;

describe('the public entries', function () {
  this.timeout(120_000);
  let checker: ts.TypeChecker;
  let symbols: readonly PublicSymbol[];
  before(() => {
    const { config } = ts.readConfigFile(join(project, 'tsconfig.json'), ts.sys.readFile);
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, project);
    const program = ts.createProgram(
      entries.map(({ file }) => file),
      options,
    );
    checker = program.getTypeChecker();
    symbols = entries.flatMap(({ name: entry, file }) =>
      checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)!)!).map(exported => {
        const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0;
        const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported;
        const isValue = (symbol.flags & ts.SymbolFlags.Value) !== 0;
        return { entry, file, name: exported.name, symbol, isValue };
      }),
    );
  });

  const isDocumented = (symbol: ts.Symbol): boolean => symbol.getDocumentationComment(checker).length > 0;

  it('have every name once, and the root at most 60', () => {
    const names = symbols.map(({ name }) => name);
    expect(names.filter((name, k) => names.indexOf(name) < k)).to.deep.equal([]);
    expect(symbols.filter(({ entry }) => entry === '.')).to.have.length.within(40, 60);
  });

  it('have documentation on every symbol, where an editor shows it', () => {
    expect(symbols).to.have.length.above(100);
    const bare = symbols.filter(({ symbol }) => !isDocumented(symbol) && !isNamespace(symbol));
    expect(bare.map(({ entry, name }) => `${entry} ${name}`)).to.deep.equal([]);
  });

  it('have documentation on every member of what a caller fills in', () => {
    const filledIn = symbols.filter(({ name }) => FILLED_IN.test(name));
    expect(filledIn).to.have.length.above(20);
    const bare = filledIn.flatMap(({ name, symbol }) =>
      [...(symbol.members?.values() ?? [])]
        .filter(member => member.flags & ts.SymbolFlags.Property && !isDocumented(member))
        .map(member => `${name}.${member.name}`),
    );
    expect(bare).to.deep.equal([]);
  });

  it('have examples that run and give what they say', async () => {
    const examples = symbols.flatMap(({ name, symbol }) =>
      symbol
        .getJsDocTags(checker)
        .filter(tag => tag.name === 'example')
        .map(tag => ({ name, code: ts.displayPartsToString(tag.text) })),
    );
    expect(new Set(examples.map(({ name }) => name)).size).to.be.at.least(20);
    const folder = mkdtempSync(join(tmpdir(), 'sluice-examples-'));
    const before = process.cwd();
    process.chdir(folder);
    try {
      await writeRows();
      const { model } = await estimate('people.parquet', { target: 'income', features: ['hours', 'age'] });
      for (const [name, run] of Object.entries(await compiled(examples))) {
        await run(model, says).catch((error: Error) => {
          error.message = `the example of ${name}: ${error.message}`;
          throw error;
        });
      }
    } finally {
      process.chdir(before);
      rmSync(folder, { recursive: true });
    }
  });

  /** One module, in which every public value is known by its name, and `model` as in the examples' prose. */
  async function compiled(
    examples: readonly { readonly name: string; readonly code: string }[],
  ): Promise<Record<string, (model: unknown, check: typeof says) => Promise<void>>> {
    const uses = (name: string): boolean => examples.some(({ code }) => new RegExp(`\\b${name}\\b`).test(code));
    const imports = symbols
      .filter(({ name, isValue }) => isValue && uses(name))
      .map(({ name, file }) => `import { ${name} } from ${JSON.stringify(pathToFileURL(file).href)};`);
    const functions = examples.map(
      ({ name, code }, k) => `'${name} ${k}': async (model, says) => { {\n${checked(code)}\n} },`,
    );
    // Within the project, so that packages are found, but not in node_modules, whose time tells npm whether it has changed.
    // A name of its own, because modules are cached.
    const cache = join(project, 'out');
    const path = join(cache, `examples-${process.pid}.mjs`);
    mkdirSync(cache, { recursive: true });
    writeFileSync(
      path,
      [
        ...new Set(imports),
        "import * as rxjs from 'rxjs';",
        'const { lastValueFrom, from, of, map, tap } = rxjs;',
        `export const examples = {\n${functions.join('\n')}\n};`,
      ].join('\n'),
    );
    try {
      return (await import(pathToFileURL(path).href)).examples;
    } finally {
      rmSync(path);
    }
  }
});

const isNamespace = ({ flags }: ts.Symbol): boolean => (flags & ts.SymbolFlags.ValueModule) !== 0;

/** A line that is an expression, and says in a comment what it gives, is held to that. */
const checked = (code: string): string =>
  code.replace(
    /^(?!const |let |import )(.*); \/\/ (.+)$/gm,
    (_, expression: string, text: string) => `says(${expression}, ${JSON.stringify(text)});`,
  );

function says(value: unknown, text: string): void {
  expect(shown(value)).to.equal(text);
}

function shown(value: unknown): string {
  if (typeof value === 'number') return String(Number(value.toPrecision(4)));
  if (typeof value === 'string') return `'${value}'`;
  if (Array.isArray(value) || ArrayBuffer.isView(value))
    return `[${Array.from(value as ArrayLike<unknown>, shown).join(', ')}]`;
  return String(value);
}

/** Rows for the examples that name a file. */
async function writeRows(): Promise<void> {
  const random = seeded('people', 'examples');
  const rows = 20_000;
  const column = (value: (i: number) => number): Float64Array =>
    Float64Array.from({ length: rows }, (_, i) => value(i));
  const hours = column(() => 40 + 8 * normal(random));
  const age = column(() => 45 + 10 * normal(random));
  const income = column(i => 4 + 0.9 * hours[i]! + 0.25 * age[i]! + 4 * normal(random));
  const id = column(i => i);
  for (const name of ['people', 'trips', 'test', 'new']) {
    const file = await openPredictionSink(`${name}.parquet`, { columns: ['id', 'hours', 'age', 'income'] });
    await file.write([id, hours, age, income], rows);
    await file.commit();
  }
}
