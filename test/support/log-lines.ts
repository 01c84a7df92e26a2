import { Writable } from 'node:stream';
import { pino } from 'pino';

export type LogLine = Record<string, unknown>;

/** A log whose lines are collected. */
export function collectLog() {
  const lines: LogLine[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      for (const line of chunk.toString().split('\n').filter(Boolean)) lines.push(JSON.parse(line));
      done();
    },
  });
  return { lines, log: pino({ level: 'info', base: null }, sink) };
}
