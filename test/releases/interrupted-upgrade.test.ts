import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { packageFolder } from '../../src/lib/process/process.ts';
import { isBuilt } from '../start/program.ts';

const SCRIPT = join(packageFolder('test'), 'crash/upgrade.mjs');

describe.skipIf(!isBuilt())('an upgrade that is killed', () => {
  // `npm run test:upgrades` kills it at each message to the database, on both engines.
  it('leaves a site that the next start brings to its end, and the older program refuses', {
    timeout: 300_000,
  }, async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, '--points', '2', '--built']);
    expect(stdout.match(/^Killed at message \d+ of \d+: whole$/gm)).toHaveLength(2);
    expect(stdout).toMatch(/^pglite: \d{2,} messages, 0 problems$/m);
  });
});
