/**
 * Notes by which an estimate or its intervals are not what they seem to be: whoever reads no further than the
 * coefficients has to know.
 */
import type { Model } from '../model/model.ts';
import { html, type Markup } from './page.ts';

const GRAVE = [
  /(^|[ ,])(neither the estimate nor its intervals hold|the intervals do not hold)/,
  /(there is|has) no finite estimate/,
  /the fit goes through every target/,
  /the estimate is mostly its own/,
  /the steps moved away from the answer/,
];

export const isGrave = (note: string): boolean => GRAVE.some(pattern => pattern.test(note));

/** Nothing where no note is grave. */
export function graveNotes({ notes = [] }: Pick<Model, 'notes'>): Markup | '' {
  const grave = notes.filter(isGrave);
  return grave.length === 0
    ? ''
    : html`<div class="warning" role="note">
<p><strong>Do not take these numbers as they stand.</strong></p>
${grave.map(note => html`<p>${sentence(note)}</p>\n`)}</div>
`;
}

const sentence = (note: string): string => `${note.charAt(0).toUpperCase()}${note.slice(1)}.`;
