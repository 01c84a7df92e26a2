import { readdirSync, readFileSync } from 'node:fs';

const TICKS_A_SECOND = 100;

/** The numbers of a process in /proc: its parent, and the ticks that it and its children that have ended have taken. */
function statOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system, children, childrenSystem] = fields.slice(11, 15).map(Number);
  return { parent: Number(fields[1]), ticks: user + system + children + childrenSystem };
}

/** Kilobytes of a process, in which memory that several processes share counts once. */
function kilobytesOf(pid) {
  return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
}

/** Reads something of a process; undefined if it has ended meanwhile. */
function ofProcess(read, pid) {
  try {
    return read(pid);
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return undefined;
    throw error;
  }
}

/** The seconds of the processor that processes and all their children have taken so far, and their megabytes. */
export function usageOf(roots) {
  const all = new Map();
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? ofProcess(statOf, name) : undefined;
    if (stat !== undefined) all.set(Number(name), stat);
  }
  const isOurs = (pid) => pid !== undefined && (roots.includes(pid) || isOurs(all.get(pid)?.parent));
  const ours = [...all].filter(([pid]) => isOurs(pid));
  const ticks = ours.reduce((sum, [, stat]) => sum + stat.ticks, 0);
  const kilobytes = ours.reduce((sum, [pid]) => sum + (ofProcess(kilobytesOf, pid) ?? 0), 0);
  return { cpu: ticks / TICKS_A_SECOND, memoryMB: Math.round(kilobytes / 1024) };
}
