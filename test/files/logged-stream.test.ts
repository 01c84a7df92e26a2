import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { loggedStream } from '../../src/core/services/logged-stream.ts';
import type { Log } from '../../src/lib/process/process.ts';

function testLog(): { log: Log; lines: string[] } {
  const lines: string[] = [];
  return { log: pino<never>({ level: 'error' }, { write: (line: string) => void lines.push(line) }), lines };
}

describe('the stream of an answer', () => {
  it('a stream of a response opens nothing when nobody reads it', async () => {
    const { log, lines } = testLog();
    let opened = 0;
    const stream = loggedStream(log, () => {
      opened += 1;
      return Readable.from(['x']);
    });
    stream.destroy();
    await setImmediate();
    expect([opened, lines]).toEqual([0, []]);
  });

  it('a stream of a response closes its source when the client disconnects', async () => {
    const { log, lines } = testLog();
    let closed = false;
    async function* endless(): AsyncGenerator<string> {
      try {
        for (;;) yield 'more';
      } finally {
        closed = true;
      }
    }
    for await (const _ of loggedStream(log, endless)) break;
    await setImmediate();
    expect([closed, lines]).toEqual([true, []]);
  });

  it('a stream of a response breaks off and logs the cause when its source fails', async () => {
    const { log, lines } = testLog();
    async function* failing(): AsyncGenerator<string> {
      yield 'first';
      throw new Error('the disk is gone');
    }
    await expect(text(loggedStream(log, failing))).rejects.toThrow('the disk is gone');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('the disk is gone');
  });
});
