import { randomUUID } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileProblem } from '../../errors.ts';

/**
 * One holder at a time, across processes, even when holders are killed.
 *
 * The lock is a file that names its owner. It is written under another name and linked into place, so it appears whole,
 * and only where there is none. A dead owner's lock is not removed, because two processes that saw it dead could then
 * remove each other's; it gets a successor instead:
 *
 *   x.lock           owner S, dead
 *   x.lock.<S>       owner P, the successor of S: of all processes that link to this name, one succeeds
 *   x.lock.<P>       the successor of P, had P died too
 *
 * The holder is the process that linked itself to the end of the chain, and then still finds itself at the end of the
 * chain that begins at x.lock; it moves its file to x.lock. Why there is only one: ids are never reused, and a
 * successor's file is removed only once x.lock is no longer the one that it succeeds. So while x.lock is S, each link
 * of the chain was made once; its end is alive, and only a living end moves anything.
 */
export interface Lock {
  release(): void;
}

/** Takes the lock on a file, or refuses at once if a living process holds it. */
export function takeLock(file: string): Lock {
  const root = `${file}.lock`;
  const me = newOwner();
  const draft = `${root}.${me.id}.draft`;
  try {
    writeOwner(draft, me);
    let place = claim(file, draft);
    while (!leadsTo(root, me)) {
      rmSync(place);
      place = claim(file, draft);
    }
    if (place !== root) renameSync(place, root);
  } finally {
    rmSync(draft, { force: true });
  }
  sweep(root);
  return {
    release: () => {
      const holder = read(root);
      if (holder !== null && parseOwner(holder)?.id === me.id) rmSync(root);
    },
  };
}

/** Links the draft to the end of the chain, and returns that place. */
function claim(file: string, draft: string): string {
  const root = `${file}.lock`;
  let place = root;
  while (!linked(draft, place)) {
    const text = read(place);
    if (text === null) {
      place = root;
      continue;
    }
    const owner = parseOwner(text);
    if (owner === null || !isGone(owner)) refuseTo(file, owner, place);
    place = successor(root, owner);
  }
  return place;
}

function refuseTo(file: string, owner: Owner | null, place: string): never {
  const holder =
    owner === null
      ? 'somebody'
      : `${owner.pid === process.pid ? 'this process' : `process ${owner.pid}`} on ${owner.host} since ${owner.at}`;
  throw fileProblem(
    file,
    `is in use by ${holder}; wait until that run has ended, or remove ${place} if you are sure that no such run exists`,
  );
}

function leadsTo(root: string, me: Owner): boolean {
  let place = root;
  for (;;) {
    const owner = parseOwner(read(place) ?? '');
    if (owner === null) return false;
    if (owner.id === me.id) return true;
    place = successor(root, owner);
  }
}

const successor = (root: string, { id }: Owner): string => `${root}.${id}`;

/** Removes what dead processes left behind: links of chains that have been resolved, and drafts. */
function sweep(root: string): void {
  for (const name of readdirSync(dirname(root))) {
    if (!name.startsWith(`${basename(root)}.`)) continue;
    const path = join(dirname(root), name);
    const owner = parseOwner(read(path) ?? '');
    if (owner !== null && isGone(owner)) rmSync(path, { force: true });
  }
}

function linked(draft: string, place: string): boolean {
  try {
    linkSync(draft, place);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw fileProblem(
      place,
      `cannot be created: ${(error as Error).message}; keep it on a file system with hard links`,
    );
  }
}

function writeOwner(path: string, owner: Owner): void {
  try {
    const file = openSync(path, 'wx');
    try {
      writeSync(file, `${JSON.stringify(owner)}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw fileProblem(
      path,
      `cannot be written: ${(error as Error).message}; keep it in a folder that you may write to`,
    );
  }
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw fileProblem(
      path,
      `cannot be read: ${(error as Error).message}; check its permissions, and who holds this lock`,
    );
  }
}

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
