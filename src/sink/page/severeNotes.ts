/**
 * Notes by which an estimate or its intervals cannot be relied on: they stand above the coefficients, for readers who
 * read no further.
 */
import type { Model } from '../../model/model.ts';
import { html, type Markup } from './page.ts';

type Noted = Pick<Model, 'notes' | 'severeNotes'>;

/** Nothing where no note is severe. */
export function severeNotes({ notes = [], severeNotes: places = [] }: Noted): Markup | '' {
  return places.length === 0
    ? ''
    : html`<div class="warning" role="note">
<p><strong>Do not take these numbers as they stand.</strong></p>
${places.map(place => html`<p>${sentence(notes[place]!)}</p>\n`)}</div>
`;
}

/** All others. */
export const mildNotes = ({ notes = [], severeNotes: places = [] }: Noted): readonly string[] =>
  notes.filter((_, place) => !places.includes(place));

const sentence = (note: string): string => `${note.charAt(0).toUpperCase()}${note.slice(1)}.`;
