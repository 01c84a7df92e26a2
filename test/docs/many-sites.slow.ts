import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageFolder } from '../../src/lib/process/process.ts';
import type { Json } from '../support/site.ts';
import { freePort } from '../support/varnish.ts';
import { fencedBlocks } from './fenced-blocks.ts';

const ROOT = packageFolder('.');
const SERVER = join(ROOT, 'dist/bin/canopy.js');
const PASSWORD = 'a-password-for-tests';
const SITES = ['north', 'south', 'west'];
const SCOPE = ['--path=/legal', '--set-up=type,behavior,workflow,role,permission'];
const PAGES = 40;
const run = promisify(execFile);

/** The commands that the page leaves to its readers, for servers that are processes of this test. */
const COMMANDS = `
canopy_of() { echo "$PWD/bin/$1"; }
stop_site() {
  kill "$(cat "pids/$1")" && while kill -0 "$(cat "pids/$1")" 2>/dev/null; do sleep 0.1; done
}
start_site() {
  ( set -a; . "sites/$1.env"; set +a; nohup "$(canopy_of "$2")" start >> "logs/$1.txt" 2>&1 < /dev/null & echo $! > "pids/$1" )
}
is_healthy() {
  [ ! -e "unhealthy-$1" ] && curl -fs --retry 60 --retry-delay 1 --retry-all-errors -o /dev/null "$2/@health"
}
`;

describe('the scripts for many sites', { timeout: 600_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'canopy-many-'));
  const addresses = new Map<string, string>();
  const environment = { PATH: process.env.PATH ?? '', HOME: folder };

  const bash = async (...args: string[]): Promise<{ code: number; out: string; err: string }> => {
    try {
      const { stdout, stderr } = await run('bash', args, { cwd: folder, env: environment });
      return { code: 0, out: stdout, err: stderr };
    } catch (error) {
      const failed = error as { code: number; stdout: string; stderr: string };
      return { code: failed.code, out: failed.stdout, err: failed.stderr };
    }
  };
  const ask = async (
    name: string,
    method: string,
    path: string,
    json?: unknown,
  ): Promise<{ status: number; body: Json }> => {
    const response = await fetch(`${addresses.get(name)}${path}`, {
      method,
      headers: {
        ...{ Accept: 'application/json', 'Content-Type': 'application/json' },
        Authorization: `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`,
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  const must = async (...args: Parameters<typeof ask>): Promise<Json> => {
    const { status, body } = await ask(...args);
    if (status >= 300) throw new Error(`${args.slice(0, 3).join(' ')}: ${status} ${JSON.stringify(body)}`);
    return body;
  };
  const start = async (name: string) => {
    const { code, err } = await bash(
      '-c',
      `. ./site-commands.sh; start_site ${name} 1 && is_healthy ${name} ${addresses.get(name)}`,
    );
    expect([name, code, err]).toEqual([name, 0, expect.anything()]);
  };
  const pull = (to: string) =>
    bash('-c', `bin/current pull ${addresses.get('dev')} releases/${to} --token-file=tokens/dev ${SCOPE.join(' ')}`);
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');

  beforeAll(async () => {
    for (const name of ['bin', 'sites', 'tokens', 'pids', 'logs', 'data']) mkdirSync(join(folder, name));
    // Version 2 does not upgrade the site south; there is no backup of the site west as long as there is a file.
    const program = (version: string) => `#!/bin/sh
case "${version} $DATA_DIR $1" in
  *south*upgrade) exit 1 ;;
  *west*backup) [ ! -e no-backup ] || exit 1 ;;
  *start) echo ${version} > "$DATA_DIR.version" ;;
esac
exec "${process.execPath}" "${SERVER}" "$@"
`;
    for (const version of ['current', '1', '2'])
      writeFileSync(join(folder, 'bin', version), program(version), { mode: 0o755 });
    writeFileSync(join(folder, 'site-commands.sh'), COMMANDS);
    const text = readFileSync(join(ROOT, 'docs/many-sites.md'), 'utf8');
    for (const { flags, text: script } of fencedBlocks(text))
      for (const flag of flags.filter((one) => one.startsWith('file='))) {
        const file = join(folder, flag.slice('file='.length));
        writeFileSync(file, script);
        chmodSync(file, 0o755);
      }
    for (const name of ['dev', ...SITES]) {
      const port = await freePort();
      addresses.set(name, `http://127.0.0.1:${port}`);
      const settings = {
        PORT: port,
        HOST: '127.0.0.1',
        DATA_DIR: join(folder, 'data', name),
        ADMIN_PASSWORD: PASSWORD,
      };
      writeFileSync(
        join(folder, 'sites', `${name}.env`),
        Object.entries(settings)
          .map(([key, value]) => `${key}=${value}\n`)
          .join(''),
      );
      await start(name);
      const { token } = await must(name, 'POST', '/@login', { login: 'admin', password: PASSWORD });
      writeFileSync(join(folder, 'tokens', name), `${token}\n`);
    }
    writeFileSync(
      join(folder, 'sites.txt'),
      `# all\n${SITES.map((name) => `${name} ${addresses.get(name)}\n`).join('')}`,
    );
  }, 600_000);
  afterAll(async () => {
    for (const name of addresses.keys()) await bash('-c', `. ./site-commands.sh; stop_site ${name}`);
    rmSync(folder, { recursive: true, force: true });
  });

  it('A type, a workflow, a role and pages get to all sites, except where something is in the way.', async () => {
    expect(await pull('1')).toMatchObject({ code: 0, err: '', out: expect.stringContaining('no content at /legal') });
    await must('dev', 'POST', '/@roles', { id: 'Lawyer', title: 'Lawyer' });
    const workflow = { id: 'legal_workflow', title: 'Legal', copy_of: 'simple_publication_workflow' };
    await must('dev', 'POST', '/@workflows', workflow);
    await must('dev', 'POST', '/@controlpanels/dexterity-types', { id: 'clause', title: 'Clause' });
    await must('dev', 'PATCH', '/@workflow-types', { clause: 'legal_workflow' });
    await must('dev', 'POST', '/', { '@type': 'Folder', id: 'legal', title: 'Legal' });
    for (let n = 1; n <= PAGES; n += 1)
      await must('dev', 'POST', '/legal', { '@type': 'clause', id: `c${n}`, title: `Clause ${n}` });
    expect(await pull('2')).toMatchObject({ code: 0, err: '' });
    // A site has a type of its own, another has other content at the address.
    await must('north', 'POST', '/@controlpanels/dexterity-types', { id: 'recipe', title: 'Recipe' });
    await must('west', 'POST', '/', { '@type': 'Page', id: 'legal', title: 'Our own' });
    const done = await bash('apply-to-sites.sh', 'releases/1', 'releases/2', ...SCOPE);
    expect(done.out.trim().split('\n')).toEqual([
      'north: done',
      'south: done',
      'west: nothing was done, see plans/west-dry-run.txt',
    ]);
    expect(done.code).toBe(1);
    expect(read('plans/west-dry-run.txt')).toContain('Other content has its address here.');
    for (const name of ['north', 'south']) {
      expect(await must(name, 'GET', `/legal/c${PAGES}`)).toMatchObject({
        '@type': 'clause',
        title: `Clause ${PAGES}`,
      });
      expect(await must(name, 'GET', '/@workflows/legal_workflow')).toMatchObject({ title: 'Legal' });
    }
    expect((await ask('north', 'GET', '/@types/recipe')).status).toBe(200);
    expect((await ask('west', 'GET', '/@types/clause')).status).toBe(404);
    const again = await bash('apply-to-sites.sh', 'releases/1', 'releases/2', ...SCOPE);
    expect(again.out).toContain('north: has it already\nsouth: has it already\nwest: nothing was done');
  });

  it('A site that is not healthy afterwards goes back, and keeps what its people have done.', async () => {
    await must('dev', 'PATCH', '/legal/c1', { title: 'Clause one' });
    await must('dev', 'POST', '/legal', { '@type': 'clause', id: 'extra', title: 'Extra' });
    await pull('3');
    await must('south', 'PATCH', '/legal/c2', { title: 'Of the south' });
    writeFileSync(join(folder, 'unhealthy-south'), '');
    const done = await bash('apply-to-sites.sh', 'releases/2', 'releases/3', ...SCOPE);
    expect(done.out).toContain('north: done\nsouth: not healthy, it is as before\n');
    expect((await must('north', 'GET', '/legal/c1')).title).toBe('Clause one');
    expect((await must('south', 'GET', '/legal/c1')).title).toBe('Clause 1');
    expect((await must('south', 'GET', '/legal/c2')).title).toBe('Of the south');
    expect((await ask('south', 'GET', '/legal/extra')).status).toBe(404);
    rmSync(join(folder, 'unhealthy-south'));
  });

  it('A version gets to all sites, and one where it is not possible is as before.', async () => {
    const versions = () => SITES.map((name) => read(`data/${name}.version`).trim());
    writeFileSync(join(folder, 'no-backup'), '');
    const done = await bash('upgrade-sites.sh', '1', '2');
    expect(done.out.trim().split('\n')).toEqual([
      'north: 2',
      'south: not possible, it is as before with 1',
      'west: no backup, so nothing was done',
    ]);
    expect(done.code).toBe(1);
    expect(versions()).toEqual(['2', '1', '1']);
    expect(existsSync(join(folder, 'backups/west'))).toBe(false);
    expect((await must('south', 'GET', '/legal/c2')).title).toBe('Of the south');
    expect((await must('north', 'GET', '/legal/c1')).title).toBe('Clause one');
    expect((await must('west', 'GET', '/legal')).title).toBe('Our own');
    rmSync(join(folder, 'no-backup'));
    writeFileSync(join(folder, 'sites.txt'), `west ${addresses.get('west')}\n`);
    expect(await bash('upgrade-sites.sh', '1', '2')).toMatchObject({ code: 0, out: 'west: 2\n' });
    expect(versions()).toEqual(['2', '1', '2']);
    expect((await must('west', 'GET', '/legal')).title).toBe('Our own');
  });
});
