import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { Command } from 'commander';
import ts from 'typescript';
import { addFitFlags } from '../../../src/cli/flags/fitFlags.ts';
import { addWatchFlags } from '../../../src/cli/flags/watchFlags.ts';
import { inFlags } from '../../../src/cli/render/inFlags.ts';
import { levelsOption } from '../../../src/sample/levelTally.ts';
import { inCode } from '../../../src/words.ts';

const src = resolve(dirname(fileURLToPath(import.meta.url)), '../../../src');

/** Variables of a style sheet. */
const REAL = ['sink/page/style.ts', 'sink/live/liveStyle.ts'];

/** Pages in Markdown, and a script for browsers, which have backticks for their own reasons. */
const PAGES = ['lab/paper/gallery.ts', 'sink/live/clientScript.ts'];

/** A table of documents that says how a reader of the paper reaches what the paper names. */
const OF_DOCUMENTS = ['lab/paper/paperTable.ts'];

/** What the library's messages are made of: every text in its code, with X for what is put in. */
function textsOf(code: string): readonly string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) texts.push(node.text);
    if (ts.isTemplateExpression(node))
      texts.push([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('X'));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('it.ts', code, ts.ScriptTarget.Latest));
  return texts;
}

const libraryTexts = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter(path => path.endsWith('.ts') && !path.startsWith('cli'))
  .flatMap(path =>
    textsOf(readFileSync(join(src, path), 'utf8')).map(text => ({ path: path.replaceAll('\\', '/'), text })),
  );

const OF_COMMAND_LINE = /(^|[^\w-])--[a-z]|\bsluice (fit|plan|predict|evaluate|inspect|ledger|audit|reproduce|watch)\b/;

const namesFlag = (text: string): boolean => OF_COMMAND_LINE.test(text);

/** An option with its value, spelled neither as code nor as a flag, so that nothing turns it into a flag. */
const namesOptionInWords = (text: string): boolean =>
  /\b(aggregate|calibration|method|mode|moments|nulls|order|schedule) "[\w-]+"/.test(text);

/** What only callers of the library can meet, functions among them; X stands for a name that is put in. */
const OF_CALLERS =
  /`(bufferBytes|columns|constraint|estimateOnline|forPrivate: true|kernel|level|memoryBytes|model|parseModel|planFit|planPrivate|positionKey|scratchBytes|signal|split|types: \{ X: 'text' \}|X|XX|\{ [^`]* \}|\{ kind: 'l2'X \}|\w+Mechanism|(blockSums|l2Ball|nesterov|samplesOf|squared|uniformChunks)\([\w…{}, ]*\))`/g;

/** A backtick alone is no message, but what messages are searched for. */
const isUnknown = (text: string): boolean => text !== '`' && inFlags(text).replaceAll(OF_CALLERS, '').includes('`');

/** Names in Spark's SQL stand in backticks. */
const OF_SQL = ['engine/spark/sparkDialect.ts', 'engine/sql/surveyTable.ts'];

describe('messages of the library', () => {
  it('name no flags or commands, which callers do not have', () => {
    expect(libraryTexts.length).to.be.above(1000);
    const found = libraryTexts.filter(
      ({ path, text }) => namesFlag(text) && !REAL.includes(path) && !OF_DOCUMENTS.includes(path),
    );
    expect(found).to.deep.equal([]);
  });

  it('have no options in backticks but those that the command line knows', () => {
    const found = libraryTexts.filter(
      ({ path, text }) => isUnknown(text) && !PAGES.includes(path) && !OF_SQL.includes(path),
    );
    expect(found).to.deep.equal([]);
  });

  it('spell an option with its value as code', () => {
    expect(libraryTexts.filter(({ text }) => namesOptionInWords(text))).to.deep.equal([]);
    expect(['use mode "full"', "use `mode: 'full'`"].map(namesOptionInWords)).to.deep.equal([true, false]);
  });

  it('are looked at by rules that see a breach', () => {
    const [first, second] = textsOf(`f(\`use \${a ? '--nulls skip' : b} or \\\`nul: \${b}\\\`\`)`);
    expect([first, second]).to.deep.equal(['use X or `nul: X`', '--nulls skip']);
    expect([first, second].map(text => namesFlag(text!))).to.deep.equal([false, true]);
    expect([first, second].map(text => isUnknown(text!))).to.deep.equal([true, false]);
    expect(textsOf("throw new Error('ask `stepLength` or sluice inspect')").map(namesFlag)).to.deep.equal([true]);
    expect(textsOf('// --nulls skip').map(namesFlag)).to.deep.equal([]);
  });
});

describe('inFlags', () => {
  const flags: readonly (readonly [message: string, told: string])[] = [
    ["use `nulls: 'skip'` to leave such rows out", 'use --nulls skip to leave such rows out'],
    ['leave it out, or add `penalty`', 'leave it out, or add --ridge'],
    ['`penalty: 0.05` shrinks coefficients towards 0', '--ridge 0.05 shrinks coefficients towards 0'],
    ["fewer `steps`, or `aggregate: 'mean'`", 'fewer --steps, or --aggregate mean'],
    ['a larger `failureProbability`', 'a larger --failure'],
    ['leave it out by `features`, or give `intercept: false`', 'leave it out by --features, or give --no-intercept'],
    ["leave it out: `features: ['a', 'b']`", 'leave it out: --features a,b'],
    ["leave it out: `features: ['a', 'Mass (g)']`", "leave it out: --features 'a,Mass (g)'"],
    ["give `unit: 'person', maxPerUnit: 20`", 'give --unit person --max-per-unit 20'],
    ['`loss: pseudoHuber(4.21)` counts them', '--loss pseudo-huber:4.21 counts them'],
    ['`loss: gemanMcClure(2)` suits', '--loss geman-mcclure:2 suits'],
    ['`loss: tukey(4.7)` suits', '--loss tukey:4.7 suits'],
    ['read it by `fromSql`', 'read it by --sql'],
    ['`inspect` tells which', 'sluice inspect tells which'],
    ['name a file that `openLedgerFile` wrote', 'name a file that sluice fit --ledger wrote'],
    ['give a file that `JSON.stringify(model)` wrote', 'give a file that sluice fit --out wrote'],
    ['decompress it first: `gunzip -c FILE | …`', 'decompress it first: "gunzip -c FILE | sluice fit - --rows N …"'],
  ];

  for (const [message, told] of flags) {
    it(`makes ${told} of ${message}`, () => {
      expect(inFlags(message)).to.equal(told);
      expect(inFlags(told)).to.equal(told);
    });
  }

  it('takes declared levels as the library writes them, whatever the column is called', () => {
    expect(levelsOption('town')).to.equal("`categorical: { town: ['A', 'B'] }`");
    expect(levelsOption('home town', '…')).to.equal("`categorical: { 'home town': […] }`");
    for (const column of ['town', 'größe', 'home town', "it's", 'a`b', 'a\\', "\\'", 'x: [y', '{ a }', '"q"']) {
      expect(inFlags(`declare ${levelsOption(column)}`)).to.equal(
        `declare --categorical '${column.replaceAll("'", "'\\''")}=A|B'`,
      );
      expect(inFlags(`leave ${levelsOption(column, '…')} out`)).to.equal(`leave --categorical ${column}=… out`);
    }
  });

  it('puts a text in quotes where a shell needs them', () => {
    expect(inFlags(`give \`unit: ${inCode('the person')}\``)).to.equal("give --unit 'the person'");
  });

  it('leaves what it does not know, names of columns, and what DuckDB says of a query', () => {
    const others = [
      'a `constructor`, `rows()`, `stepLength: 1`, or `features and` more',
      'x.csv, column "`rows`": has no value',
      'x.csv, column "say \\"`rows`\\"": has no value',
      'the query: DuckDB refuses it: Parser Error\nLINE 1: SELECT `rows`, `order` FROM t',
      'a lone ` and no more',
    ];
    for (const message of others) expect(inFlags(message)).to.equal(message);
  });

  it('names no flag that neither fit nor watch has', () => {
    const source = readFileSync(join(src, 'cli/render/inFlags.ts'), 'utf8');
    const options = textsOf(source).flatMap(text => text.split(/\W+/));
    const told = options.map(name => inFlags(`\`${name}\``)).join(' ');
    const named = new Set(told.match(/--[a-z-]+/g));
    const known = new Set(
      [addFitFlags, addWatchFlags].flatMap(add => add(new Command()).options.map(({ long }) => long)),
    );
    for (const other of ['--target', '--out', '--keep', '--into']) known.add(other);
    expect(named.size).to.be.above(30);
    expect([...named].filter(flag => !known.has(flag))).to.deep.equal([]);
  });
});
