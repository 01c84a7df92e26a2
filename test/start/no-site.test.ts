import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, engines } from '../support/database.ts';
import { runCanopy } from '../support/run-canopy.ts';

/** Commands that work on a site which is there. */
const COMMANDS: string[][] = [
  ['export', 'out'],
  ['import', 'in'],
  ['set', 'site.site_title', 'x'],
  ['reset-password', 'admin'],
  ['reindex'],
  ['rotate-keys'],
  ['collect-blobs'],
  ['setup', 'export', 'out'],
  ['upgrade'],
];

describe('a command in a place without a site', () => {
  let folder: string;
  const at = (name: string) => join(folder, name);
  /** The command line with its folders in the one of this test. */
  const line = (command: string[]) => command.map((part) => (['in', 'out'].includes(part) ? at(part) : part));

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'canopy-no-site-'));
    await mkdir(join(folder, 'in/content'), { recursive: true });
    await writeFile(join(folder, 'in/content/__metadata__.json'), '{"_data_files_": []}');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(COMMANDS)(
    'canopy %s ends with one line that names the folder, and makes nothing there',
    async (...command) => {
      const { code, out, err } = await runCanopy(line(command), { DATA_DIR: at('data') });
      expect(code).toBe(1);
      expect(out).toBe('');
      expect(err).toMatch(/^canopy: There is no site in the folder .*\n$/);
      expect(err).toContain(at('data'));
      expect(await readdir(folder)).toEqual(['in']);
    },
  );

  it.runIf(engines().includes('postgresql'))(
    'an empty database of PostgreSQL stays empty, and its name is in the line without the password',
    async () => {
      const { database, url = '', drop } = await createTestDatabase('postgresql', { migrated: false });
      try {
        const settings = { DATABASE_URL: url, DATA_DIR: at('data') };
        for (const command of COMMANDS) {
          const { code, out, err } = await runCanopy(line(command), settings);
          expect({ command, code, out }).toEqual({ command, code: 1, out: '' });
          expect(err).toMatch(
            /^canopy: There is no site in the database canopy_test_\w+ at \S+ \(DATABASE_URL\)\..*\n$/,
          );
        }
        expect(await database.query({ text: `select 1 from pg_tables where schemaname = 'public'` })).toEqual([]);
      } finally {
        await drop();
      }
      expect(await readdir(folder)).toEqual(['in']);
    },
  );

  it('canopy import makes the site when it is asked to, and says its password', async () => {
    const settings = { DATA_DIR: at('new') };
    const made = await runCanopy(['import', at('in'), '--new-site'], settings);
    expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^The password of admin is \S+\n/) });
    const again = await runCanopy(['import', at('in'), '--new-site'], settings);
    expect(again.code).toBe(0);
    expect(again.out).not.toContain('password');
  });
});

describe('a command line that is not whole', () => {
  it.each([
    [['import'], 'Missing: <folder or file>. Usage: canopy import <folder or file>.'],
    [['set', 'site.site_title'], 'Missing: <value>. Usage: canopy set <setting> <value>.'],
    [['set'], 'Missing: <setting> <value>.'],
    [['reset-password', 'a', 'b'], '"b" is too much. Usage: canopy reset-password <account>.'],
  ])('canopy %s says what is missing or too much', async (command, message) => {
    const { code, err } = await runCanopy(command, {});
    expect(code).toBe(2);
    expect(err).toContain(message);
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  it('the help fits into a terminal of 80 columns, and that of one command is about that command', async () => {
    const { code, out } = await runCanopy(['--help'], {});
    expect(code).toBe(0);
    expect(out.split('\n').filter((text) => text.length > 80)).toEqual([]);
    expect(out).toContain('--passphrase-file=<file>');
    const one = await runCanopy(['set', '--help'], {});
    expect(one.out).toMatch(/^ {2}canopy set <setting> <value>\n/);
    expect(one.out).not.toContain('canopy import');
  });

  it('canopy --version prints the version of the program', async () => {
    expect(await runCanopy(['--version'], {})).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^canopy \d+\.\d+\.\d+\n$/),
    });
  });
});
