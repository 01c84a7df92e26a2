import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, describe, expect, it } from 'vitest';
import { hasProvablyEnded, processIdentity } from '../../src/lib/process/process-identity.ts';

describe.skipIf(process.platform !== 'linux')('the name by which a process is known to have ended', () => {
  const other = spawn('sleep', ['60']);
  afterAll(() => other.kill('SIGKILL'));

  it('a process that runs has not ended, and has ended once it was killed', async () => {
    const identity = processIdentity(other.pid) ?? '';
    expect(identity).not.toBe('');
    expect(hasProvablyEnded(identity)).toBe(false);
    other.kill('SIGKILL');
    await once(other, 'exit');
    expect(hasProvablyEnded(identity)).toBe(true);
  });

  it('a process has ended when its number belongs to one that began at another time', () => {
    const own = processIdentity() ?? '';
    expect(hasProvablyEnded(own)).toBe(false);
    expect(hasProvablyEnded(own.replace(/\d+$/, '1'))).toBe(true);
  });

  it('processes of another machine or container, and invalid names, do not count as ended', () => {
    const gone = (processIdentity() ?? '').replace(/\d+$/, '1');
    for (const unknown of [gone.replace(/^./, 'x'), gone.replace('pid:', 'pid:1'), 'x', '', '0 0', `${gone} 7 -1`])
      expect(hasProvablyEnded(unknown)).toBe(false);
  });
});
