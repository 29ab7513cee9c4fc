/** Prints how many files and lines every room of src has: `npx tsx tools/rooms.ts [folder of a checkout]`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { argv, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';

const src = join(argv[2] ?? fileURLToPath(new URL('..', import.meta.url)), 'src');
const rooms = new Map<string, { files: number; lines: number }>();
const add = (room: string, lines: number): void => {
  const counted = rooms.get(room) ?? { files: 0, lines: 0 };
  rooms.set(room, { files: counted.files + 1, lines: counted.lines + lines });
};
for (const path of readdirSync(src, { recursive: true, encoding: 'utf8' }).sort()) {
  if (!path.endsWith('.ts')) continue;
  const lines = readFileSync(join(src, path), 'utf8').split('\n').length - 1;
  add(path.includes(sep) ? path.split(sep)[0]! : '(beside the rooms)', lines);
  add('(all)', lines);
}
for (const [room, { files, lines }] of [...rooms].sort())
  stdout.write(`${room.padEnd(20)} ${String(files).padStart(4)} ${String(lines).padStart(6)}\n`);
