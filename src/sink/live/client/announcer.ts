import { say } from './dom.ts';

/** Milliseconds between two announcements at least. */
const INTERVAL = 5000;

/**
 * Tells those who listen rather than look. Only changes of state are told, never numbers, which change too often; what
 * follows too soon waits, and of several that wait the last is told.
 */
export function announcer(element: Element): (words: string) => void {
  let spoken = '';
  let next = '';
  let timer: number | undefined;
  const speak = (): void => {
    timer = undefined;
    if (next === spoken) return;
    spoken = next;
    say(element, spoken);
    timer = setTimeout(speak, INTERVAL);
  };
  return words => {
    next = words;
    if (timer === undefined) speak();
  };
}
