import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Logger, pino } from 'pino';

export type Log = Logger;

/** The log of the process: JSON lines on standard error, so that standard output stays for people. */
export function createLog(level = 'info'): Log {
  return pino({ level, base: null }, pino.destination({ dest: 2, sync: true }));
}

/** Returns a time in milliseconds that only grows, from an arbitrary beginning. */
export type Clock = () => number;

/**
 * A clock that is never behind: it advances by the counted time of the process or by the time of the wall clock, whichever is more. The counted time
 * stands still while a machine sleeps, and the wall clock may be set back.
 */
export function forwardClock(counted: Clock = () => performance.now(), wall: Clock = () => Date.now()): Clock {
  let time = 0;
  let last = { counted: counted(), wall: wall() };
  return () => {
    const next = { counted: counted(), wall: wall() };
    time += Math.max(0, next.counted - last.counted, next.wall - last.wall);
    last = next;
    return time;
  };
}

/** A folder of the package such as `profiles`, found from the source as well as from its compiled form. Throws when it is missing. */
export function packageFolder(name: string): string {
  const own = dirname(fileURLToPath(import.meta.url));
  for (let folder = own; ; folder = dirname(folder)) {
    // The folders of the build have a package.json, too.
    if (existsSync(join(folder, 'package.json')) && existsSync(join(folder, 'migrations'))) {
      const candidate = join(folder, name);
      if (existsSync(candidate)) return candidate;
    }
    if (folder === dirname(folder)) throw new Error(`No folder ${name} of the package above ${own}`);
  }
}

/** The path of a folder that is given as a path or, from `new URL('…', import.meta.url)`, as a URL. */
export const folderPath = (folder: string | URL): string =>
  folder instanceof URL || folder.startsWith('file:') ? fileURLToPath(folder) : folder;
