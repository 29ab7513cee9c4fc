import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import ts from 'typescript';

const src = resolve(fileURLToPath(new URL('../src', import.meta.url)));

/** Where a command, a thread, a process and a page start: they are run, and imported by nothing. */
const PROGRAMS = [
  'cli/main.ts',
  'engine/local/engineWorker.ts',
  'lab/paper/figureWorker.ts',
  'sink/live/client/main.ts',
  'source/read/columnWorker.ts',
];

const STATIC = ts.SyntaxKind.StaticKeyword;

/** What importing a module would run of ours, line by line. */
function runs(path: string, text: string): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const own = new Set<string>();
  const declare = (name: ts.BindingName): void => {
    if (ts.isIdentifier(name)) own.add(name.text);
    else for (const part of name.elements) if (ts.isBindingElement(part)) declare(part.name);
  };
  for (const statement of file.statements) {
    if (ts.isImportDeclaration(statement)) {
      const { name, namedBindings } = statement.importClause ?? {};
      if (name !== undefined) declare(name);
      if (namedBindings !== undefined && ts.isNamespaceImport(namedBindings)) declare(namedBindings.name);
      if (namedBindings !== undefined && ts.isNamedImports(namedBindings))
        for (const part of namedBindings.elements) declare(part.name);
    } else if (ts.isVariableStatement(statement))
      for (const part of statement.declarationList.declarations) declare(part.name);
    else if ((ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) && statement.name)
      declare(statement.name);
  }
  /** Whether what is called is of this module, of one that it imports, or made here: not of the language itself. */
  const isOurs = (called: ts.Expression): boolean => {
    if (ts.isPropertyAccessExpression(called) || ts.isElementAccessExpression(called)) return isOurs(called.expression);
    if (ts.isIdentifier(called)) return own.has(called.text);
    return !ts.isLiteralExpression(called) && !ts.isArrayLiteralExpression(called);
  };
  const isFunction = (given: ts.Expression): boolean =>
    ts.isArrowFunction(given) || ts.isFunctionExpression(given) || (ts.isIdentifier(given) && isNameOfFunction(given));
  const isNameOfFunction = ({ text }: ts.Identifier): boolean =>
    file.statements.some(
      statement =>
        (ts.isFunctionDeclaration(statement) && statement.name?.text === text) ||
        (ts.isVariableStatement(statement) &&
          statement.declarationList.declarations.some(
            ({ name, initializer }) =>
              ts.isIdentifier(name) && name.text === text && initializer !== undefined && isFunction(initializer),
          )),
    );
  const found: string[] = [];
  const tell = (node: ts.Node): void => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    found.push(`${path}:${line + 1} ${node.getText().split('\n')[0]}`);
  };
  const visit = (node: ts.Node): void => {
    // Their bodies run when they are called.
    if (ts.isFunctionLike(node) || ts.isTypeNode(node)) return;
    if (ts.isPropertyDeclaration(node) && !ts.getModifiers(node)?.some(({ kind }) => kind === STATIC)) return;
    const isCall = ts.isCallExpression(node) || ts.isNewExpression(node);
    const callsOurs = isCall && (isOurs(node.expression) || node.arguments?.some(isFunction));
    if (callsOurs || ts.isTaggedTemplateExpression(node) || ts.isAwaitExpression(node)) tell(node);
    else ts.forEachChild(node, visit);
  };
  for (const statement of file.statements) {
    const isRun = ts.isExpressionStatement(statement) && !statement.getText().startsWith('Object.freeze(');
    if (
      isRun ||
      ts.isIterationStatement(statement, false) ||
      ts.isIfStatement(statement) ||
      ts.isTryStatement(statement)
    )
      tell(statement);
    else visit(statement);
  }
  return found;
}

describe('importing', () => {
  it('runs nothing of ours: what is computed is computed when it is first used', () => {
    const modules = readdirSync(src, { recursive: true, encoding: 'utf8' })
      .map(path => path.replaceAll(sep, '/'))
      .filter(path => path.endsWith('.ts') && !path.startsWith('math/wasm/assembly/') && !PROGRAMS.includes(path));
    expect(modules.length).to.be.above(400);
    const found = modules.flatMap(path => runs(path, readFileSync(join(src, path), 'utf8')));
    expect(found.join('\n')).to.equal('');
  });

  it('is checked by a rule that sees what would run', () => {
    for (const line of [
      "import { f } from './f.ts'; export const x = f(1);",
      "import * as all from './f.ts'; const x = [all.f(1)];",
      'const f = () => 1; const x = f();',
      'function f() { return 1; } const x = { y: f() };',
      'class C {} export const x = new C();',
      'const x = (() => 1)();',
      'const x = [1, 2].map(y => y + 1);',
      'const f = (y: number) => y; const x = [1, 2].map(f);',
      "import { html } from './html.ts'; const x = html`a`;",
      'const x = await 1;',
      "console.log('x');",
      'for (let i = 0; i < 1; i++);',
      'class C { static x = f(); } function f() { return 1; }',
    ])
      expect(runs('planted.ts', line), line).to.have.length(1);
    for (const line of [
      "import { f } from './f.ts'; export const x = () => f(1);",
      'const x = Object.freeze({ y: Math.sqrt(2), z: new Map<string, number>([["a", 1]]) });',
      "const x = 'a b'.split(' ');",
      'const x = { get y() { return f(); } }; function f() { return 1; }',
      'interface X { f(): void }',
      'class C { x = f(); } function f() { return 1; }',
    ])
      expect(runs('planted.ts', line), line).to.have.length(0);
  });
});
