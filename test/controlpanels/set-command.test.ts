import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSite, runCanopy } from '../support/run-canopy.ts';

describe('canopy set', () => {
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'canopy-set-'));
    await makeSite({ DATA_DIR: dataDir, ADMIN_PASSWORD: 'admin' });
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  /** Runs the command and returns its exit code and output. */
  function set(...operands: string[]): ReturnType<typeof runCanopy> {
    return runCanopy(['set', ...operands], { DATA_DIR: dataDir, ADMIN_PASSWORD: 'admin' });
  }

  it('canopy set stores a valid value and prints it', async () => {
    expect(await set('security.store_tokens', 'true')).toMatchObject({
      code: 0,
      out: 'security.store_tokens = true\n',
    });
    expect(await set('site.site_title', '2026')).toMatchObject({ code: 0, out: 'site.site_title = "2026"\n' });
    expect(await set('navigation.displayed_types', '["Page"]')).toMatchObject({ code: 0 });
  });

  it('canopy set does not print a password', async () => {
    expect(await set('mail.pass', 'geheim')).toMatchObject({ code: 0, out: 'mail.pass = (not shown)\n' });
  });

  it.each([
    ['nothing.at_all', '1', /There is no panel "nothing"\. Panels: .*security/],
    ['mail.nothing', '1', /The panel "mail" has no setting "nothing"\. It has: smtp_host, smtp_port/],
    ['mail', '1', /"mail" is not the name of a setting/],
    ['mail.port', 'x', /mail\.smtp_port: Must be an integer/],
    ['language.default_language', 'fr', /language\.default_language/],
  ])('canopy set rejects %s %s with one line', async (name, value, message) => {
    const { code, err } = await set(name, value);
    expect(code).toBe(1);
    expect(err).toMatch(message);
    expect(err.trim().split('\n')).toHaveLength(1);
  });
});
