import type { Explanation } from './explanation.ts';

/** A sentence about the data; a severe one means that the estimate or its intervals are unreliable. */
export type Note = string | SevereNote;

export interface SevereNote {
  readonly text: string;
  readonly severity: 'severe';
}

export const severe = (text: string): SevereNote => ({ text, severity: 'severe' });

/** The sentences, and which of them are severe. */
export function listNotes(notes: readonly Note[]): Pick<Explanation, 'notes' | 'severeNotes'> {
  const severeNotes = notes.flatMap((note, place) => (typeof note === 'string' ? [] : [place]));
  return {
    notes: notes.map(note => (typeof note === 'string' ? note : note.text)),
    ...(severeNotes.length > 0 && { severeNotes }),
  };
}
