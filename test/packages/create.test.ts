import { execFile, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { FRONT_ENDS } from '../../packages/create-canopy-server/src/front-ends.ts';
import { parseConfig } from '../../src/core/configuration/environment/config.ts';
import { SETTING_NAMES } from '../../src/core/configuration/environment/setting-names.ts';
import { isBuilt } from '../start/program.ts';

const ROOT = join(import.meta.dirname, '../..');
const PROGRAM = join(ROOT, 'dist/packages/create-canopy-server/bin/create-canopy-server.js');
const VERSION: string = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version;

describe.runIf(isBuilt())('npm create canopy-server', () => {
  let folder: string;
  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'canopy-create-')));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs the program in the folder, without a terminal. */
  const create = (...args: string[]) =>
    new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
      const child = execFile(process.execPath, [PROGRAM, ...args], { cwd: folder }, (_error, out, err) =>
        resolve({ code: child.exitCode, out, err }),
      );
      child.stdin?.end();
    });
  const read = (...path: string[]): string => readFileSync(join(folder, ...path), 'utf8');
  const filesOf = (...path: string[]): string[] =>
    readdirSync(join(folder, ...path), { recursive: true, encoding: 'utf8' }).sort();

  it.each(Object.keys(FRONT_ENDS))('a project with %s has all parts, and prints what comes next', async (frontEnd) => {
    const name = `with-${frontEnd}`;
    const { code, out, err } = await create(name, '--front-end', frontEnd, '--add-on', 'canopy-addon-shelf');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const manifest = JSON.parse(read(name, 'package.json'));
    expect(manifest).toMatchObject({ name, private: true, dependencies: { 'canopy-server': VERSION } });
    const front = JSON.parse(read(name, 'front-end/package.json'));
    for (const [, version] of Object.entries({ ...front.dependencies, ...front.devDependencies }))
      expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    // Each printed command is a script of a package, or one of npm.
    const commands = [...out.matchAll(/^ {2}(.+)$/gm)].map(([, command]) => command);
    expect(commands).toEqual([
      ...[`cd ${name}`, 'npm install', 'npm test', 'npm start'],
      ...[`cd ${name}`, `npm ${frontEnd === 'volto' ? 'ci' : 'install'} --prefix front-end`, 'npm run front-end'],
    ]);
    expect(Object.keys(manifest.scripts)).toEqual(expect.arrayContaining(['test', 'start', 'front-end']));
    const types = FRONT_ENDS[frontEnd]?.types;
    expect(manifest.scripts.types).toBe(types && `canopy-server types --output=front-end/${types}`);
    expect(front.dependencies['@canopy-server/client']).toBe(types && VERSION);
    if (types) expect(filesOf(name, 'front-end')).toContain(types);
    const [, script = ''] = /^npm run (\w+) --prefix front-end$/.exec(manifest.scripts['front-end']) ?? [];
    expect(Object.keys(front.scripts)).toEqual(expect.arrayContaining([script, 'build', 'start']));
    expect(out).toContain(FRONT_ENDS[frontEnd]?.address);
    expect(
      filesOf(name, 'front-end').filter((path) => /node_modules|canopy\.mjs|^(?:dist|volto|\.next)$/.test(path)),
    ).toEqual([]);
    expect(filesOf(name)).toEqual(expect.arrayContaining(['.env.example', '.gitignore', 'README.md', 'compose.yaml']));
    expect(read(name, 'README.md')).toContain(`(${FRONT_ENDS[frontEnd]?.address})`.slice(1, -1));
  });

  it('the add-on is that of "canopy new-addon", with the version of the server', async () => {
    await create('one', '--yes', '--add-on', 'canopy-addon-shelf');
    const own = join('one', 'add-ons', 'canopy-addon-shelf');
    expect(JSON.parse(read(own, 'package.json'))).toMatchObject({
      name: 'canopy-addon-shelf',
      devDependencies: { 'canopy-server': VERSION },
    });
    mkdirSync(join(folder, 'by-command'));
    const command = execFile(process.execPath, [join(ROOT, 'dist/bin/canopy.js'), 'new-addon', 'canopy-addon-shelf'], {
      cwd: join(folder, 'by-command'),
    });
    await new Promise((resolve) => command.once('close', resolve));
    const other = join('by-command', 'canopy-addon-shelf');
    expect(filesOf(other)).toEqual(filesOf(own));
    for (const path of ['src/index.ts', 'README.md', '.gitignore']) expect(read(other, path)).toBe(read(own, path));
    expect(read('one', readConfigName('one'))).toContain(`features: ['./add-ons/canopy-addon-shelf']`);
  });
  const readConfigName = (name: string): string =>
    readdirSync(join(folder, name)).find((path) => path.startsWith('canopy.config.')) ?? '';

  it('without an add-on and a front end there is a site and nothing else', async () => {
    const { code } = await create('bare', '--yes', '--add-on', 'none');
    expect(code).toBe(0);
    const { scripts, workspaces } = JSON.parse(read('bare', 'package.json'));
    expect(Object.keys(scripts)).toEqual(['start']);
    expect(workspaces).toBeUndefined();
    expect(readConfigName('bare')).toBe(
      Reflect.get(process.features, 'typescript') ? 'canopy.config.ts' : 'canopy.config.mjs',
    );
    expect(filesOf('bare')).toEqual(
      ['.env.example', '.gitignore', 'README.md', readConfigName('bare'), 'compose.yaml', 'package.json'].sort(),
    );
  });

  /** Runs the program on a terminal and writes an answer to each question, or ends the input where it is null. */
  const answer = (answers: [question: string, answer: string | null][]) =>
    new Promise<{ code: number | null; out: string }>((resolve) => {
      const command = `"${process.execPath}" "${PROGRAM}"`;
      const child = spawn('script', ['-qec', command, '/dev/null'], { cwd: folder });
      let out = '';
      let asked = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        out += text;
        asked += text;
        const [next] = answers;
        if (next === undefined || !asked.includes(next[0])) return;
        asked = '';
        answers.shift();
        child.stdin.write(next[1] === null ? '\u0004' : `${next[1]}\r`);
      });
      child.once('close', (code) => resolve({ code, out }));
    });
  const hasTerminals = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') ?? false;

  it.runIf(hasTerminals)('on a terminal it asks for what is not said, again after a wrong answer', async () => {
    const { code, out } = await answer([
      ['Folder of the project (my-site): ', ''],
      ['Front end: volto, astro, next, none (none): ', 'rails'],
      ['Front end: volto, astro, next, none (none): ', 'astro'],
      ['Name of the add-on, or none (canopy-addon-example): ', '@town/park'],
    ]);
    expect(out).toContain('There is no front end "rails"');
    expect(code).toBe(0);
    expect(JSON.parse(read('my-site/add-ons/park/package.json')).name).toBe('@town/park');
    expect(filesOf('my-site/front-end')).toContain('astro.config.mjs');
  });

  it.runIf(hasTerminals)('nothing is made when the questions are left', async () => {
    const { code, out } = await answer([
      ['Folder of the project (my-site): ', 'left'],
      ['Front end: volto, astro, next, none (none): ', null],
    ]);
    expect([code, out.includes('Cancelled: nothing was made.')]).toEqual([2, true]);
    expect(readdirSync(folder)).not.toContain('left');
  });

  it('a folder that is not empty is left as it is', async () => {
    mkdirSync(join(folder, 'full'));
    writeFileSync(join(folder, 'full', 'letter.txt'), 'Dear');
    const { code, out, err } = await create('full', '--yes');
    const place = join(folder, 'full');
    expect({ code, out, err }).toEqual({
      code: 2,
      out: '',
      err: `create-canopy-server: ${place} is not empty: it has letter.txt. Name another folder, or one that is not there yet.\n`,
    });
    expect(filesOf('full')).toEqual(['letter.txt']);
  });

  it.each([
    [['x', '--front-end', 'rails'], 'There is no front end "rails". There are volto, astro, next, none.'],
    [['x', '--add-on', '../up'], '"../up" cannot be the name of a package: small letters, digits and - only.'],
    [['x', 'y'], '"y" is too much: there is one folder. See --help.'],
    [['x', '--frontend', 'astro'], "Unknown option '--frontend'"],
    [['x'], 'There is no terminal to ask in: say --yes, or the folder, --front-end and --add-on.'],
  ])('%j is refused in one line, and nothing is made', async (args, message) => {
    const { code, err } = await create(...args);
    expect(code).toBe(2);
    expect(err.split('\n')).toHaveLength(2);
    expect(err).toContain(`create-canopy-server: ${message}`);
    expect(readdirSync(folder)).not.toContain('x');
  });

  it.skipIf(process.getuid?.() === 0)('a place where nothing may be written is one line', async () => {
    mkdirSync(join(folder, 'closed'));
    chmodSync(join(folder, 'closed'), 0o500);
    const { code, err } = await create('closed/site', '--yes');
    expect(code).toBe(1);
    expect(err).toMatch(/^create-canopy-server: EACCES[^\n]*\n$/);
  });

  it('a file in place of the folder is one line', async () => {
    writeFileSync(join(folder, 'a-file'), '');
    expect(await create('a-file', '--yes')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^[^\n]*ENOTDIR[^\n]*\n$/),
    });
  });

  it('--version and --help print to standard output', async () => {
    expect(await create('--version')).toEqual({ code: 0, out: `create-canopy-server ${VERSION}\n`, err: '' });
    expect((await create('--help')).out).toContain('--front-end volto|astro|next|none');
  });

  it.each([...Object.keys(FRONT_ENDS), 'none'])(
    'compose.yaml of a project with %s has valid settings',
    async (frontEnd) => {
      const name = `compose-${frontEnd}`;
      await create(name, '--front-end', frontEnd, '--add-on', 'none');
      type Service = { environment: Record<string, string>; volumes: string[]; ports: string[]; command: string };
      const compose: { services: Record<string, Service>; volumes: Record<string, unknown> } = parse(
        read(name, 'compose.yaml'),
        { strict: true },
      );
      const { canopy, 'front-end': front } = compose.services;
      expect(Object.keys(compose.services)).toEqual(frontEnd === 'none' ? ['canopy'] : ['canopy', 'front-end']);
      const names: readonly string[] = SETTING_NAMES;
      expect(Object.keys(canopy?.environment ?? {}).filter((setting) => !names.includes(setting))).toEqual([]);
      const { dataDir } = parseConfig({ ...canopy?.environment }, { settings: FRONT_ENDS[frontEnd]?.settings ?? {} });
      expect(canopy?.volumes).toContain(`data:${dataDir}`);
      for (const { volumes } of Object.values(compose.services))
        for (const [source = ''] of volumes.map((volume) => volume.split(':')))
          if (source !== '.') expect(Object.keys(compose.volumes)).toContain(source);
      if (front) {
        expect(front.environment[FRONT_ENDS[frontEnd]?.apiSetting ?? '']).toBe('http://canopy:8080');
        expect(FRONT_ENDS[frontEnd]?.address).toContain(`:${front.environment.PORT}`);
        for (const [, script = ''] of front.command.matchAll(/npm (?:run )?(build|start)/g))
          expect(Object.keys(JSON.parse(read(name, 'front-end/package.json')).scripts)).toContain(script);
      }
    },
  );
});
