/** `sluice ledger`: verifies the chain of a ledger file and prints what private runs have spent. */
import { ArgumentError } from '../../index.ts';
import {
  type DatasetAccount,
  type LedgerContents,
  type Protection,
  protectionText,
  type RunAccount,
  readLedgerFile,
  roundedDown,
} from '../../privacy/index.ts';
import { counted, significant, table, visible } from '../render/text.ts';

export interface LedgerFlags {
  readonly holds?: string;
  readonly json?: boolean;
}

export function ledgerCommand(path: string, { holds, json }: LedgerFlags): void {
  const ledger = readLedgerFile(path);
  if (holds !== undefined && !ledger.holds(holds)) {
    throw new ArgumentError(
      `${path} has no line with the hash ${holds}, so its last lines were removed, or it is another file; restore a copy that has that line`,
      'ERR_CHANGED',
      { file: path, holds },
    );
  }
  process.stdout.write(json ? `${JSON.stringify({ file: path, ...ledger })}\n` : render(path, ledger));
}

const render = (path: string, { lines, head, mended, torn, accounts }: LedgerContents): string =>
  [
    `${path}: ${counted(lines, 'line')}, the chain is intact, head ${head}\n`,
    mended === 0
      ? ''
      : `${mended} torn ${mended === 1 ? 'line was' : 'lines were'} removed; no release depended on ${mended === 1 ? 'it' : 'them'}\n`,
    torn === 0
      ? ''
      : `the last line is torn (${counted(torn, 'byte')}): a run is writing it, or was killed before the release it charges for\n`,
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
    lines.push(['spent', 'NOT PRIVATE: epsilon is infinite, because a run released results without protection']);
  }
  lines.push(['budget', budget === null ? 'none' : guarantee(budget.epsilon, budget.delta)]);
  if (budget !== null && left !== null) {
    const rest = `epsilon ${roundedDown(left.epsilon)} at delta ${budget.delta}, mu ${roundedDown(left.mu)}`;
    lines.push(['left', isPrivate ? rest : `${rest}, for private runs, but the data set no longer has a guarantee`]);
  }
  const head = ['started', 'target', 'state', 'charges', 'epsilon', 'delta', 'mu', 'by'];
  return `${visible(dataset)}\n${table(lines)}\n${table([head, ...runs.map(runCells)])}`;
}

/** Where runs protect different units, the account guarantees single rows only. */
function whom(protects: Protection, runs: readonly RunAccount[]): string {
  if (protects !== 'row') return protectionText(protects);
  if (runs.every(run => run.protects === 'row')) return 'one row';
  return 'one row, because its runs protect different units, or are older and do not say';
}

const runCells = (run: RunAccount): string[] => [
  run.at,
  run.target,
  run.isFinished ? 'finished' : run.stream === undefined ? 'unfinished' : 'running',
  String(run.charges),
  ...('notPrivate' in run.guarantee
    ? [`NOT PRIVATE (${run.guarantee.notPrivate})`, '', '']
    : [significant(run.epsilon), String(run.guarantee.delta), significant(run.mu)]),
  run.createdWith,
];

const guarantee = (epsilon: number | null, delta: number | null): string =>
  epsilon === null ? 'nothing' : `epsilon ${significant(epsilon)} at delta ${delta}`;
