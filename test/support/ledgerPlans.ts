import { createHash } from 'node:crypto';
import { gaussianEvent, type PrivacyEvent, type RowSet } from '../../src/privacy/event.ts';
import { muFor } from '../../src/privacy/gaussianDp.ts';
import type { LedgerFile, RunPlan } from '../../src/privacy/ledgerFile/openLedgerFile.ts';

export const DELTA = 1e-6;

export const release = (chunk: RowSet, mu: number): PrivacyEvent => gaussianEvent({ chunk, sensitivity: mu, sigma: 1 });

/** A run that promises epsilon at DELTA. */
export const promising = (epsilon: number): RunPlan & { readonly guarantee: { readonly mu: number } } => ({
  target: 'pay',
  createdWith: 'sluice test',
  protects: 'row',
  guarantee: { epsilon, delta: DELTA, mu: muFor(epsilon, DELTA) },
});

export const seededRun: RunPlan = { ...promising(1), guarantee: { notPrivate: 'seeded' } };

/** Spends all that a run with this epsilon may, in `steps` full batches. */
export function spend(file: LedgerFile, epsilon: number, steps = 1): void {
  const plan = promising(epsilon);
  const run = file.begin(plan);
  for (let t = 0; t < steps; t++) run.charge(release('all', plan.guarantee.mu / Math.sqrt(steps)));
  run.finish();
}

/** Verifies a chain by other means than the sources do: JSON parsed, the hash taken off, written again. */
export function chainOf(text: string): { readonly kind: string; readonly run?: string }[] {
  let previous = '';
  return text
    .split('\n')
    .slice(0, -1)
    .map((line, k) => {
      const { hash, ...body } = JSON.parse(line);
      const expected = createHash('sha256')
        .update(previous + JSON.stringify(body))
        .digest('hex');
      if (hash !== expected) throw new Error(`line ${k + 1} has hash ${hash}, not ${expected}`);
      previous = hash;
      return body;
    });
}
