/** `sluice ledger`: what private runs have spent, from a file whose chain is intact. */
import {
  ArgumentError,
  type DatasetAccount,
  type LedgerContents,
  type Protection,
  protectionText,
  type RunAccount,
  readLedgerFile,
  roundedDown,
} from '../index.ts';
import { counted, significant, table } from './text.ts';
import { visible } from './visible.ts';

export interface LedgerFlags {
  readonly holds?: string;
  readonly json?: boolean;
}

export function ledgerCommand(path: string, { holds, json }: LedgerFlags): void {
  const ledger = readLedgerFile(path);
  if (holds !== undefined && !ledger.holds(holds)) {
    throw new ArgumentError(
      `${path} has no line with the hash ${holds}, so its last lines were cut off, or it is another file; bring back a copy that has it`,
    );
  }
  process.stdout.write(json ? `${JSON.stringify({ file: path, ...ledger })}\n` : render(path, ledger));
}

const render = (path: string, { lines, head, mended, torn, accounts }: LedgerContents): string =>
  [
    `${path}: ${counted(lines, 'line')}, the chain is intact, head ${head}\n`,
    mended === 0
      ? ''
      : `${mended} torn ${mended === 1 ? 'line was' : 'lines were'} cut off; nothing was released by ${mended === 1 ? 'it' : 'them'}\n`,
    torn === 0
      ? ''
      : `the last line is torn (${counted(torn, 'byte')}): a run is writing it, or was killed before it released anything by it\n`,
    ...accounts.map(account => `\n${renderAccount(account)}`),
  ].join('');

function renderAccount({
  dataset,
  runs,
  protects,
  isPrivate,
  epsilon,
  delta,
  mu,
  rho,
  budget,
  left,
}: DatasetAccount): string {
  const lines = [['protects', whom(protects!, runs)]];
  if (isPrivate) {
    lines.push(['spent', `${guarantee(epsilon, delta)}, mu ${significant(mu)}, rho ${significant(rho)}`]);
  } else {
    lines.push(['spent', 'NOT PRIVATE: epsilon is infinite, since a run released without protection']);
  }
  lines.push(['budget', budget === null ? 'none' : guarantee(budget.epsilon, budget.delta)]);
  if (budget !== null && left !== null) {
    const rest = `epsilon ${roundedDown(left.epsilon)} at delta ${budget.delta}, mu ${roundedDown(left.mu)}`;
    lines.push(['left', isPrivate ? rest : `${rest}, for private runs; it guarantees nothing any more`]);
  }
  const head = ['started', 'target', 'state', 'charges', 'epsilon', 'delta', 'mu', 'by'];
  return `${visible(dataset)}\n${table(lines)}\n${table([head, ...runs.map(runCells)])}`;
}

/** An account with runs that do not all say the same is kept for one row. */
function whom(protects: Protection, runs: readonly RunAccount[]): string {
  if (protects !== 'row') return protectionText(protects);
  if (runs.every(run => run.protects === 'row')) return 'one row';
  return 'one row, since its runs protect different units or, being older, do not say';
}

const runCells = (run: RunAccount): string[] => [
  run.at,
  run.target,
  run.isFinished ? 'finished' : 'unfinished',
  String(run.charges),
  ...('notPrivate' in run.guarantee
    ? [`NOT PRIVATE (${run.guarantee.notPrivate})`, '', '']
    : [significant(run.epsilon), String(run.guarantee.delta), significant(run.mu)]),
  run.createdWith,
];

const guarantee = (epsilon: number | null, delta: number | null): string =>
  epsilon === null ? 'nothing' : `epsilon ${significant(epsilon)} at delta ${delta}`;
