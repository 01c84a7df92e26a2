import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeProblem } from '../../packages/create-canopy-server/src/node-problem.ts';

const ROOT = join(import.meta.dirname, '../..');
const CHECK = 'packages/create-canopy-server/src/node-problem';
const ENTRIES = [
  ['canopy', 'bin/canopy'],
  ['create-canopy-server', 'packages/create-canopy-server/bin/create-canopy-server'],
] as const;

describe('the version of Node', () => {
  it.each(['v18.20.4', 'v20.18.3', 'v4.9.1', 'v0.12.18'])('%s is too old', (version) => {
    expect(nodeProblem('canopy', version)).toBe(
      `canopy: Node ${version} is too old: install Node 20.19 or newer from https://nodejs.org, then try again.`,
    );
  });

  it.each(['v20.19.0', 'v20.20.2', 'v22.0.0', 'v24.1.0', 'v100.0.0', 'v26.0.0-nightly'])('%s is fine', (version) => {
    expect(nodeProblem('canopy', version)).toBeUndefined();
  });

  it.each(['package.json', 'packages/create-canopy-server/package.json'])('is the same in %s', (path) => {
    const { engines } = JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
    const [, oldest = ''] = /^>=(\d+\.\d+)$/.exec(engines.node) ?? [];
    expect(nodeProblem('canopy', `v${oldest}.0`)).toBeUndefined();
    const [major = 0, minor = 0] = oldest.split('.').map(Number);
    expect(nodeProblem('canopy', `v${major}.${minor - 1}.9`)).toBeDefined();
  });
});

describe('a program on an older Node', () => {
  /** A folder with the entry and the check alone: whatever else the entry loaded would be missing. */
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'canopy-node-'));
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
    // The build makes the command CommonJS.
    mkdirSync(join(folder, 'bin'));
    writeFileSync(join(folder, 'bin/package.json'), '{"type": "commonjs"}');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const fake = (version: string): string[] => [
    '--import',
    `data:text/javascript,Object.defineProperty(process,"version",{value:"${version}"})`,
  ];

  it.runIf(existsSync(join(ROOT, 'dist', `${CHECK}.js`))).each(ENTRIES)(
    '%s says in one line what to do, and loads nothing else',
    (name, entry) => {
      for (const file of [entry, CHECK]) cpSync(join(ROOT, 'dist', `${file}.js`), join(folder, `${file}.js`));
      const cwd = mkdtempSync(join(folder, 'empty-'));
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [...fake('v18.20.4'), join(folder, `${entry}.js`), 'start'],
        { cwd, encoding: 'utf8' },
      );
      const line = `${name}: Node v18.20.4 is too old: install Node 20.19 or newer from https://nodejs.org, then try again.\n`;
      expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: line });
      expect(readdirSync(cwd)).toEqual([]);
      // With the true version it goes on, to a file that is missing here.
      const real = spawnSync(process.execPath, [join(folder, `${entry}.js`)], { cwd, encoding: 'utf8' });
      expect(real.stderr).toContain('MODULE_NOT_FOUND');
    },
  );

  it.each([...ENTRIES.map(([, entry]) => entry), CHECK])('%s has only syntax that Node 12 parses', (file) => {
    const code = readFileSync(join(ROOT, `${file}.ts`), 'utf8')
      .replace(/\/\*[\s\S]*?\*\/|^#!.*$|\/\/.*$/gm, '')
      .replace(/`(?:\\.|[^`\\])*`|'(?:\\.|[^'\\])*'/g, "''");
    expect(code).toContain('nodeProblem');
    expect(code).not.toMatch(/\?\?|\?\.|\|\|=|&&=|\bawait\b|\b\d+_\d+\b|#\w+|\bstatic \{|\bBigInt\b|\b\d+n\b/);
    expect(readFileSync(join(ROOT, `${file}.ts`), 'utf8')).not.toMatch(/from 'node:/);
  });
});
