import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runCommand } from '../../src/app/run-command.ts';

describe('canopy set', () => {
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'canopy-set-'));
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  /** Runs the command and returns its exit code and output. */
  async function set(...operands: string[]): Promise<{ code: number; out: string; err: string }> {
    const [out, err]: [string[], string[]] = [[], []];
    const spies = [
      vi.spyOn(process.stdout, 'write').mockImplementation((text) => out.push(String(text)) > 0),
      vi.spyOn(process.stderr, 'write').mockImplementation((text) => err.push(String(text)) > 0),
    ];
    try {
      const code = await runCommand(['set', ...operands], { DATA_DIR: dataDir, ADMIN_PASSWORD: 'admin' });
      return { code, out: out.join(''), err: err.join('') };
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
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
