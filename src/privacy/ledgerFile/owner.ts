/**
 * Who holds a lock, and whether that process still runs.
 *
 * A process number is used again, so the owner carries the moment its process started; it counts since the machine did,
 * so the owner carries the boot too; and it means something only among processes that see each other, so it carries the
 * namespace. Linux tells all three; elsewhere they are empty, and a number in use is taken for the owner's.
 * In doubt an owner is alive: a lock too many stops a run, a lock too few overspends a budget.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

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

/** Whether the owner's process surely runs no more. */
export function isGone({ pid, host, machine, boot, namespace, started }: Owner): boolean {
  const now = here();
  if (host !== now.host || machine !== now.machine) return false;
  if (boot !== now.boot) return boot !== '' && now.boot !== '';
  if (namespace !== now.namespace) return false;
  if (!isInUse(pid)) return true;
  const state = processState(pid);
  return state !== null && (state.hasEnded || (started !== '' && state.started !== started));
}

/** An owner as a lock file has it, or null if the text is none. */
export function parseOwner(text: string): Owner | null {
  try {
    const owner = JSON.parse(text);
    // The id becomes part of a file's name.
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

/**
 * The third and the twenty-second field of /proc/PID/stat; the second is a name in parentheses that may hold anything.
 */
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
