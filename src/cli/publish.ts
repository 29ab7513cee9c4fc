import { type Model, writeWhole } from '../index.ts';
import type { FitFlags } from './fitFlags.ts';
import { renderFit } from './renderFit.ts';

/** Writes the model where it is wanted, and shows it. */
export async function publish(model: Model, { out, json }: Pick<FitFlags, 'out' | 'json'>): Promise<void> {
  if (out !== undefined) await writeWhole(out, `${JSON.stringify(model, null, 2)}\n`);
  process.stdout.write(json ? `${JSON.stringify(model)}\n` : renderFit(model));
}
