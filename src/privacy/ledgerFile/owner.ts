import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Who holds a lock, and whether that process still runs.
 *
 * Process numbers are reused, so an owner records when its process started. That time counts from the start of the
 * machine, so it records the boot too. And a number is meaningful only among processes that see each other, so it
 * records the namespace. Linux provides all three; elsewhere they are empty, and a number in use is taken to be the
 * owner's. In doubt an owner counts as alive: a lock too many stops a run, a lock too few overspends a budget.
 */
export interface Owner {
  readonly id: string;
  readonly pid: number;
  readonly host: string;
  readonly machine: string;
  readonly boot: string;
  readonly namespace: string;
  readonly started: string;
  readonly at: string;
}

/** This process, as the owner of a lock it is about to take. */
export const newOwner = (): Owner => ({
  id: randomUUID(),
  pid: process.pid,
  ...here(),
  started: processState(process.pid)?.started ?? '',
  at: new Date().toISOString(),
});

/** Whether the owner's process has certainly ended. */
export function isGone({ pid, host, machine, boot, namespace, started }: Owner): boolean {
  const now = here();
  if (host !== now.host || machine !== now.machine) return false;
  if (boot !== now.boot) return boot !== '' && now.boot !== '';
  if (namespace !== now.namespace) return false;
  if (!isInUse(pid)) return true;
  const state = processState(pid);
  return state !== null && (state.hasEnded || (started !== '' && state.started !== started));
}

/** An owner as stored in a lock file, or null if the text is not one. */
export function parseOwner(text: string): Owner | null {
  try {
    const owner = JSON.parse(text);
    // The id becomes part of a file name.
    return /^[0-9a-f-]{36}$/.test(owner.id) && Number.isInteger(owner.pid) && owner.pid > 0 ? owner : null;
  } catch {
    return null;
  }
}

const here = () => ({
  host: hostname(),
  machine: orEmpty(() => readFileSync('/etc/machine-id', 'utf8').trim()),
  boot: orEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
  namespace: orEmpty(() => readlinkSync('/proc/self/ns/pid')),
});

function isInUse(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Fields 3 and 22 of /proc/PID/stat; field 2 is a name in parentheses that may contain anything. */
function processState(pid: number): { readonly started: string; readonly hasEnded: boolean } | null {
  const stat = orEmpty(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  if (stat === '') return null;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { started: fields[19]!, hasEnded: fields[0] === 'Z' || fields[0] === 'X' };
}

function orEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
