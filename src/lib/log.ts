import { type Logger, pino } from 'pino';

export type Log = Logger;

/** The log of the process: JSON lines on standard error, so that standard output stays for people. */
export function createLog(level = 'info'): Log {
  return pino({ level, base: null }, pino.destination({ dest: 2, sync: true }));
}
