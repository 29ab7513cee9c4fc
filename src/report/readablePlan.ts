import type { Model } from '../model/model.ts';
import { lossWords } from './lossWords.ts';
import { countOf, numeral } from './numerals.ts';

/** The model with those fields of its plan in words that mean nothing by their names, and its loss as it is called. */
export function readablePlan(model: Model): Model {
  const { sharesPilot, ...plan } = model.plan;
  const said = Object.entries(plan).map(([key, value]) => {
    if (key === 'pilotRows' && typeof value === 'number') return [key, pilotWords(value, sharesPilot)];
    if (key === 'samplingNorm' && typeof value === 'number') return [key, numeral(value)];
    return [key, value];
  });
  return { ...model, loss: { name: lossWords(model.loss) }, plan: Object.fromEntries(said) };
}

function pilotWords(rows: number, sharesPilot: unknown): string {
  if (rows === 0) return 'none';
  if (sharesPilot === undefined) return countOf(rows);
  return `${countOf(rows)}, which ${sharesPilot ? 'the steps see again' : 'no step uses again'}`;
}
