import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSite, runCanopy } from '../support/run-canopy.ts';
import { keepExport, page } from './readers/helpers.ts';

describe('canopy import', () => {
  let dataDir: string;
  let directory: string;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'canopy-import-command-'));
    await makeSite({ DATA_DIR: dataDir, ADMIN_PASSWORD: 'admin' });
    ({ directory, drop } = await keepExport({
      '1.json': page('/portal/a', { title: 'A', colour: 'red' }),
      'export_portlets.json': [{ uuid: 'x', portlets: { left: [{ type: 'News' }] } }],
    }));
  });
  afterAll(async () => {
    await drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Runs the command and returns its exit code and output. */
  function importWith(...options: string[]): ReturnType<typeof runCanopy> {
    return runCanopy(['import', directory, ...options], { DATA_DIR: dataDir, ADMIN_PASSWORD: 'admin' });
  }

  it('canopy import takes its options, fails when it is strict and something is lost, and writes the whole report.', async () => {
    const reportFile = join(dataDir, 'report.json');
    const strict = await importWith('--strict', '--report', reportFile, '--site-root', '/portal');
    expect(strict.code).toBe(1);
    expect(strict.out).toContain('nothing was changed');
    expect(strict.out).toContain('1 lost: things that this server does not have');
    expect(await readFile(reportFile, 'utf8')).toContain('"key":"portlets.left.0"');
    const dry = await importWith('--dry-run', '--site-root=/portal');
    expect(dry).toMatchObject({ code: 3 });
    expect(dry.out).toContain('Page: colour (Text line (String))');
    const real = await importWith('--site-root=/portal', '--text-as-blocks');
    expect(real.code).toBe(3);
    expect(real.out).toMatch(/objects: +1 created, 0 skipped, 0 failed/);
  });

  it('canopy import brings a newer export with --again, and shows the differences and the conflicts.', async () => {
    const newer = await keepExport({ '1.json': page('/portal/a', { title: 'B', colour: 'red' }) });
    const again = (...options: string[]) =>
      runCanopy(['import', newer.directory, '--site-root=/portal', ...options], { DATA_DIR: dataDir });
    try {
      expect((await importWith('--site-root=/portal')).code).toBe(3);
      expect(await again('--conflicts=keep')).toMatchObject({
        code: 2,
        err: expect.stringContaining('is for --again'),
      });
      expect(await again('--again', '--conflicts=both')).toMatchObject({ code: 2 });
      const dry = await again('--again', '--dry-run');
      expect(dry.out).toContain('since the last import: 0 added, 1 changed');
      expect(dry.out).toContain('    ~ /a: title');
      const { out } = await again('--again', '--json');
      expect(JSON.parse(out)).toMatchObject({ again: { rule: 'stop', changes: [{ path: '/a', parts: ['title'] }] } });
      expect((await again('--again')).out).toContain('nothing is different, 1 objects as before');
    } finally {
      await newer.drop();
    }
  });

  it('canopy import says in one line that a folder is no export, or a broken one.', async () => {
    const dataOnly = await runCanopy(['import', dataDir], { DATA_DIR: dataDir });
    expect(dataOnly.code).toBe(1);
    expect(dataOnly.err).toMatch(/^canopy: .* is not an export that can be read\. Looked for .*\n$/);
    const broken = await keepExport({ 'content/__metadata__.json': [], 'content/u1/data.json': page('/a') });
    try {
      const { code, err } = await runCanopy(['import', broken.directory], { DATA_DIR: dataDir });
      expect(code).toBe(1);
      expect(err).toMatch(/^canopy: .*__metadata__\.json cannot be read as an object of JSON\. .*\n$/);
    } finally {
      await broken.drop();
    }
  });

  it('canopy import says in one line that a report cannot be written.', async () => {
    const { code, err } = await importWith('--report', join(dataDir, 'no', 'such', 'folder'));
    expect(code).toBe(1);
    expect(err).toMatch(/^canopy: The report cannot be written: .*\n$/);
  });
});
