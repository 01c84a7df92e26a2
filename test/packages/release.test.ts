import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '../..');
const read = (...path: string[]): string => readFileSync(join(ROOT, ...path), 'utf8');
const manifestOf = (folder: string) => JSON.parse(read(folder, 'package.json'));
/** The packages that are published. */
const FOLDERS = ['.', ...readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}`)].filter(
  (folder) => manifestOf(folder).private !== true,
);
const { version: VERSION, scripts: SCRIPTS } = manifestOf('.');

describe.each(FOLDERS)('the package in %s', (folder) => {
  const manifest = manifestOf(folder);

  it('says where it is from and what it is for', () => {
    expect(manifest).toMatchObject({
      version: VERSION,
      license: 'MIT',
      description: expect.stringMatching(/\w+/),
      homepage: expect.stringContaining('https://github.com/canopy-server/canopy-server'),
      bugs: expect.anything(),
      engines: { node: expect.stringMatching(/^>=\d/) },
    });
    expect(manifest.repository).toEqual({
      type: 'git',
      url: 'git+https://github.com/canopy-server/canopy-server.git',
      ...(folder === '.' ? {} : { directory: folder }),
    });
    expect(manifest.keywords.length).toBeGreaterThan(2);
    expect(manifest.files).toEqual(expect.any(Array));
  });

  it('has the licence', () => {
    expect(read(folder, 'LICENSE')).toBe(read('LICENSE'));
  });
});

type Step = { uses?: string; run?: string; env?: Record<string, string> };
type Job = {
  'runs-on': string;
  'timeout-minutes': number;
  needs?: string;
  permissions?: Record<string, string>;
  strategy?: { matrix: Record<string, string[]> };
  steps: Step[];
};
type Workflow = { name: string; on: unknown; permissions?: Record<string, string>; jobs: Record<string, Job> };
const workflowAt = (name: string): Workflow => parse(read('.github/workflows', name), { strict: true });

/** The commands of a step, with each value of the matrix in its place. */
function commandsOf({ strategy }: Job, { run = '' }: Step): string[] {
  const key = /\$\{\{ matrix\.(\w+) \}\}/.exec(run)?.[1];
  if (key === undefined) return [run];
  return (strategy?.matrix[key] ?? []).map((value) => run.replace(/\$\{\{ matrix\.\w+ \}\}/, value));
}

describe.each(readdirSync(join(ROOT, '.github/workflows')))('the workflow %s', (file) => {
  const { name, on, jobs } = workflowAt(file);

  it('has jobs with a limit of time, which wait for existing jobs', () => {
    expect(name).toMatch(/\w/);
    expect(on).toBeTruthy();
    expect(Object.keys(jobs)).not.toEqual([]);
    for (const job of Object.values(jobs)) {
      expect(job['runs-on']).toBe('ubuntu-latest');
      expect(job['timeout-minutes']).toBeGreaterThan(0);
      if (job.needs !== undefined) expect(Object.keys(jobs)).toContain(job.needs);
      for (const step of job.steps) {
        expect(Object.keys(step).filter((key) => ['uses', 'run'].includes(key))).toHaveLength(1);
        if (step.uses !== undefined) expect(step.uses).toMatch(/^[\w-]+\/[\w-]+@v\d+$/);
      }
    }
  });

  it('calls existing scripts and programs', () => {
    const commands = Object.values(jobs).flatMap((job) => job.steps.flatMap((step) => commandsOf(job, step)));
    const called = commands.flatMap((command) => [...command.matchAll(/\bnpm run ([\w:-]+)/g)].map(([, one]) => one));
    const programs = commands.flatMap((command) => [...command.matchAll(/(?:^|\s)(\.ci\/\w+)/g)].map(([, one]) => one));
    expect(called.length + programs.length).toBeGreaterThan(0);
    expect(called.filter((script) => !(`${script}` in SCRIPTS))).toEqual([]);
    expect(programs.filter((path) => !existsSync(join(ROOT, `${path}`)))).toEqual([]);
  });
});

it('scripts of package.json name programs that there are', () => {
  const files = Object.values<string>(SCRIPTS).flatMap(
    (script) => script.match(/(?:scripts|test)\/[\w./-]+\.mjs/g) ?? [],
  );
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

it('a release is tested first, and published with provenance and without a token', () => {
  const { on, permissions, jobs } = workflowAt('release.yml');
  expect(on).toEqual({ push: { tags: ['v*'] } });
  expect(permissions).toEqual({ contents: 'read' });
  expect(jobs.publish).toMatchObject({ needs: 'checks', permissions: { contents: 'write', 'id-token': 'write' } });
  expect(jobs.checks?.steps.at(-1)).toEqual({ run: '.ci/run' });
  const runs = (jobs.publish?.steps ?? []).flatMap(({ run }) => run ?? []);
  expect(runs.map((run) => run.split(' ').slice(0, 3).join(' '))).toEqual([
    ...['npm install', 'npm run build', 'npm run release-files', 'npm run release', 'gh release create'],
  ]);
  expect(jobs.publish?.steps.find(({ run }) => run === 'npm run release')?.env).toEqual({
    NPM_CONFIG_PROVENANCE: 'true',
  });
  expect(read('.github/workflows/release.yml')).not.toMatch(/NPM_TOKEN|NODE_AUTH_TOKEN|secrets\./);
});

describe('npm run release-files', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'canopy-release-'));
    for (const path of ['.changeset', 'packages/one']) mkdirSync(join(folder, path), { recursive: true });
    const write = (path: string, value: unknown) => writeFileSync(join(folder, path), JSON.stringify(value));
    const server = { name: 'canopy-server', version: '1.2.0', workspaces: ['packages/*'] };
    write('package.json', server);
    write('packages/one/package.json', { name: '@canopy-server/one', version: '1.2.0' });
    const link = { resolved: 'packages/one', link: true };
    const one = { name: '@canopy-server/one', version: '1.2.0' };
    const packages = { '': server, 'node_modules/@canopy-server/one': link, 'packages/one': one };
    write('package-lock.json', { name: 'canopy-server', version: '1.2.0', lockfileVersion: 3, packages });
    const changes = ['# Changelog', '## 1.2.0', '- Pages fly.', '## 1.1.0', '- Pages walk.'];
    writeFileSync(join(folder, 'CHANGELOG.md'), changes.join('\n\n'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const run = (...args: string[]) =>
    spawnSync(process.execPath, [join(ROOT, 'scripts/release-files.mjs'), ...args], { cwd: folder, encoding: 'utf8' });

  it('writes the notes of the version and what each package is made of', () => {
    expect(run('v1.2.0')).toMatchObject({ status: 0, stderr: '' });
    expect(readFileSync(join(folder, '.cache/release/notes.md'), 'utf8')).toBe('- Pages fly.\n');
    for (const [file, name] of Object.entries({
      'canopy-server': 'canopy-server',
      'canopy-server-one': '@canopy-server/one',
    })) {
      const list = JSON.parse(readFileSync(join(folder, `.cache/release/${file}-1.2.0.cdx.json`), 'utf8'));
      expect(list).toMatchObject({ bomFormat: 'CycloneDX', components: [], metadata: { component: { name } } });
    }
  });

  it.each([
    [[], 'Name the tag, such as v0.1.0.'],
    [['1.2.0'], 'Name the tag, such as v0.1.0.'],
    [['v1.3.0'], 'The tag is of 1.3.0, but canopy-server is 1.2.0.'],
  ])('with %j it stops with one line', (args, line) => {
    expect(run(...args)).toMatchObject({ status: 1, stderr: `${line}\n` });
  });

  it('stops while a change waits for a version', () => {
    const path = join(folder, '.changeset/red-cats-jump.md');
    writeFileSync(path, '');
    const { status, stderr } = run('v1.2.0');
    rmSync(path);
    expect([status, stderr]).toEqual([
      1,
      'Changes wait for a version: red-cats-jump.md. Run "npm run version-packages" first.\n',
    ]);
  });
});
