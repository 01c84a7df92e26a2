import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandReference } from '../../src/app/command-line/reference.ts';
import { FEATURES } from '../../src/app/features.ts';
import { commandsOf } from '../../src/app/run-command.ts';
import { makeSite, runCanopy } from '../support/run-canopy.ts';

const COMMANDS = commandsOf(FEATURES);

describe('the declarations of the commands', () => {
  it.each(COMMANDS.map((command) => [command.name, command] as const))(
    'canopy %s has a help of 80 columns with its options and an example that it accepts',
    async (name, { example, options = {} }) => {
      const { code, out } = await runCanopy([...name.split(' '), '--help'], {});
      expect(code).toBe(0);
      expect(out.split('\n').filter((line) => line.length > 80 && !line.startsWith('  canopy '))).toEqual([]);
      for (const option of Object.keys(options)) expect(out).toContain(`--${option}`);
      expect(out).toContain(`\nExample\n  canopy ${example}\n`);
      expect(example.startsWith(name)).toBe(true);
      // The same by the other way.
      expect((await runCanopy(['help', ...name.split(' ')], {})).out).toBe(out);
    },
  );

  it('docs/commands.md is what npm run commands writes', async () => {
    const page = await readFile(fileURLToPath(new URL('../../docs/commands.md', import.meta.url)), 'utf8');
    expect(page).toBe(commandReference(COMMANDS));
  });
});

describe('a command line with a mistake', () => {
  it.each([
    [['reindx'], 'Unknown command: reindx. Did you mean reindex? See canopy --help.'],
    [
      ['user', 'lsit'],
      'Unknown command: user lsit. Did you mean list? There are: add, list, disable, enable, password.',
    ],
    [['user'], 'Say which: canopy user add, canopy user list,'],
    [['setup', 'away', 'x'], 'Unknown command: setup away.'],
    [['upgrade', '--dry-rnu'], 'Unknown option: --dry-rnu. Did you mean --dry-run? See canopy upgrade --help.'],
    [['start', '--json'], 'Unknown option: --json. See canopy start --help.'],
    [['export', 'out', '--path'], "Option '--path <value>' argument missing"],
    [['reindex', '--quiet=yes'], 'does not take an argument'],
    [['completion', 'csh'], '<shell> must be one of bash, zsh, fish, not "csh".'],
    [['user', 'list', '--limit', 'many', '--data-dir', '/nowhere'], '--limit must be a whole number up to 10000.'],
  ])('canopy %s ends with 2 and one line that says what is meant', async (args, message) => {
    const { code, out, err } = await runCanopy(args, {});
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(message);
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  it('a group of commands explains itself', async () => {
    const { code, out } = await runCanopy(['user', '--help'], {});
    expect(code).toBe(0);
    expect(out).toMatch(/^ {2}canopy user add <name>/);
    expect(out).not.toContain('canopy reindex');
  });
});

describe('options of all commands', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'canopy-options-'));
    await makeSite({ DATA_DIR: join(folder, 'data'), ADMIN_PASSWORD: 'admin' });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const REPORTS = [
    ['reindex'],
    ['collect-blobs'],
    ['upgrade', '--dry-run'],
    ['set', 'site.site_title', 'x'],
    ['user', 'list'],
  ];

  it('--data-dir names the site over the environment, and --json prints one document', async () => {
    for (const command of REPORTS) {
      const args = [...command, '--json', '--data-dir', join(folder, 'data')];
      const { code, out, err } = await runCanopy(args, { DATA_DIR: join(folder, 'nothing') });
      expect([command, code]).toEqual([command, 0]);
      expect(err).toBe('');
      expect(JSON.parse(out)).toBeTypeOf('object');
    }
  });

  it('--quiet prints what was asked for, and nothing about success', async () => {
    const settings = { DATA_DIR: join(folder, 'data') };
    expect(await runCanopy(['reindex', '--quiet'], settings)).toEqual({ code: 0, out: '', err: '' });
    const reset = await runCanopy(['reset-password', 'admin', '--quiet'], settings);
    expect(reset).toMatchObject({ code: 0, out: expect.stringMatching(/^The password of admin is \S+\n$/), err: '' });
    const failed = await runCanopy(['reset-password', 'nobody', '--quiet', '--json'], settings);
    expect(failed).toEqual({ code: 1, out: '', err: 'canopy: There is no account "nobody".\n' });
  });

  it('--config names the configuration file, whose commands have the same options, help and place in completions', async () => {
    const file = join(folder, 'canopy.config.mjs');
    await writeFile(
      file,
      `export default { settings: { DATA_DIR: ${JSON.stringify(join(folder, 'data'))} }, features: [{ name: 'counting', commands: [{
        name: 'count things', summary: 'count things', example: 'count things --json', json: 'things',
        options: { kind: { type: 'string', description: 'Kind of things.', choices: ['one', 'two'] } },
        async run({ open }) { await open(); return { lines: ['There are 3.'], data: { things: 3 } }; } }] }] };`,
    );
    const run = (...args: string[]) => runCanopy([...args, '--config', file], {});
    expect(await run('count', 'things')).toEqual({ code: 0, out: 'There are 3.\n', err: '' });
    expect(JSON.parse((await run('count', 'things', '--json')).out)).toEqual({ things: 3 });
    expect(await run('count', 'things', '--kind=three')).toMatchObject({
      code: 2,
      err: 'canopy: --kind must be one of one, two, not "three".\n',
    });
    expect((await run('count', 'things', '--help')).out).toContain('Kind of things. One of one, two.');
    expect((await run('help')).out).toContain('canopy count things');
    expect((await run('completion', 'bash')).out).toContain("'count things')");
  });

  it('a command of a package without an example or with a name that shells read otherwise stops with its reason', async () => {
    const config = async (command: string) => {
      const file = join(folder, `wrong-${command.length}.config.mjs`);
      await writeFile(
        file,
        `export default { features: [{ name: 'wrong', commands: [{ summary: 'x', run() {}, ${command} }] }] };`,
      );
      return (await runCanopy(['help', '--config', file], {})).err;
    };
    expect(await config("name: 'count'")).toContain('"count" must have an example');
    expect(await config("name: '$(rm)', example: 'x'")).toContain('must have a name of one or two words');
    expect(await config("name: 'completion', example: 'x'")).toContain('must have another name');
    expect(await config("name: 'count', example: 'x', options: { 'a b': {} }")).toContain('not "a b"');
  });
});
