import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSite, runCanopy } from '../support/run-canopy.ts';
import { filesIn } from './folders.ts';

describe('canopy export', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'canopy-export-command-'));
    for (const name of ['site', 'other']) await makeSite({ DATA_DIR: join(folder, name), ADMIN_PASSWORD: 'admin' });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Runs a command on the site in a folder, and returns its exit code and output. */
  function run(site: string, ...args: string[]): ReturnType<typeof runCanopy> {
    return runCanopy(args, { DATA_DIR: join(folder, site), ADMIN_PASSWORD: 'admin' });
  }

  it('writes a folder or an archive that canopy import brings back, and says what is in it', {
    timeout: 120_000,
  }, async () => {
    await run('site', 'set', 'mail.smtp_pass', 'a secret password');
    const out = join(folder, 'out');
    const exported = await run('site', 'export', out);
    expect(exported).toMatchObject({ code: 0 });
    expect(exported.out).toContain(`Exported the site to ${out}: 1 objects, 0 files`);
    expect(exported.out).toContain('1 secrets, such as passwords of servers and second factors, are left out.');
    expect(await run('site', 'export', out)).toMatchObject({
      code: 1,
      err: `canopy: ${out} is not empty. Name a new folder, or remove what is in it.\n`,
    });
    const passphrase = join(folder, 'passphrase');
    await writeFile(passphrase, 'short\n');
    expect((await run('site', 'export', join(folder, 'b'), `--passphrase-file=${passphrase}`)).err).toContain(
      'must have 12 characters at least',
    );
    await writeFile(passphrase, 'correct horse battery staple\n');
    const archive = join(folder, 'out.zip');
    expect((await run('site', 'export', archive, `--passphrase-file=${passphrase}`)).code).toBe(0);
    expect(await run('other', 'import', archive)).toMatchObject({
      code: 3,
      out: expect.stringContaining('1 secrets are left out: the export has them encrypted.'),
    });
    const again = await run('other', 'import', archive, `--passphrase-file=${passphrase}`);
    expect(again).toMatchObject({ code: 0, out: 'Imported the site: 1 objects, 0 files.\n' });
    const back = join(folder, 'back');
    await run('other', 'export', back);
    expect((await filesIn(back))['canopy/tables/account.jsonl']).toBe(
      (await filesIn(out))['canopy/tables/account.jsonl'],
    );
    expect((await readdir(folder)).filter((name) => name.endsWith('.unfinished'))).toEqual([]);
  });

  it('leaves nothing behind when it cannot be made, and says why', { timeout: 60_000 }, async () => {
    const nowhere = await run('site', 'export', join(folder, 'part'), '--path=/nowhere');
    expect(nowhere).toMatchObject({ code: 1, err: expect.stringContaining('There is nothing at /nowhere.') });
    expect(await readdir(folder)).not.toContain('part');
    const wrong = await run('site', 'import', join(folder, 'out'), '--text-as-blocks');
    expect(wrong).toMatchObject({
      code: 1,
      err: expect.stringContaining('--text-as-blocks is for exports of other systems'),
    });
    await writeFile(join(folder, 'no.zip'), 'nothing');
    expect((await run('site', 'import', join(folder, 'no.zip'))).err).toMatch(/no.zip cannot be unpacked/);
  });
});
