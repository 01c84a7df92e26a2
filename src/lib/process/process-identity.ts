import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

const textOf = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
};

/** The state of a process and its beginning, in ticks since the start of the machine; undefined when the system does not have them. */
function statusOf(pid: number): { state: string; began: string } | undefined {
  const text = textOf(`/proc/${pid}/stat`);
  // The name of the program comes before, in parentheses, and may contain any characters.
  const [state, ...fields] = text?.slice(text.lastIndexOf(')') + 2).split(' ') ?? [];
  const began = fields[18];
  return state !== undefined && began !== undefined ? { state, began } : undefined;
}

/** The space in which process numbers are unique: the boot of the machine, its name and the container. Undefined on systems without these. */
function numbering(): string | undefined {
  const boot = textOf('/proc/sys/kernel/random/boot_id');
  if (!boot) return undefined;
  try {
    return [boot, hostname(), readlinkSync('/proc/self/ns/pid')].join(' ');
  } catch {
    return undefined;
  }
}

/**
 * A name that no other process ever has, by which others on the same machine can find out that the process has ended. Undefined on systems other than
 * Linux, which lack the data.
 */
export function processIdentity(pid: number = process.pid): string | undefined {
  const [where, status] = [numbering(), statusOf(pid)];
  return where && status ? `${where} ${pid} ${status.began}` : undefined;
}

/** True if the process of this name has certainly ended; false for one on another machine or in another container. */
export function hasProvablyEnded(identity: string): boolean {
  const [began, number, ...where] = identity.split(' ').reverse();
  const pid = Number(number);
  if (!Number.isSafeInteger(pid) || pid <= 0 || where.reverse().join(' ') !== numbering()) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Another error means that the process exists and belongs to another user.
    return error instanceof Error && Reflect.get(error, 'code') === 'ESRCH';
  }
  const status = statusOf(pid);
  // Another process may have its number by now; an ended process keeps the number until its parent has taken note.
  return status !== undefined && (status.began !== began || status.state === 'Z' || status.state === 'X');
}
