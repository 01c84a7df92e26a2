import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runCommand } from '../../src/app/run-command.ts';
import { keepExport, page } from './readers/helpers.ts';

describe('canopy import', () => {
  let dataDir: string;
  let directory: string;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'canopy-import-command-'));
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
  async function importWith(...options: string[]): Promise<{ code: number; out: string; err: string }> {
    const [out, err]: [string[], string[]] = [[], []];
    const spies = [
      vi.spyOn(process.stdout, 'write').mockImplementation((text) => out.push(String(text)) > 0),
      vi.spyOn(process.stderr, 'write').mockImplementation((text) => err.push(String(text)) > 0),
    ];
    try {
      const code = await runCommand(['import', directory, ...options], { DATA_DIR: dataDir, ADMIN_PASSWORD: 'admin' });
      return { code, out: out.join(''), err: err.join('') };
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
  }

  it('canopy import takes its options, fails when it is strict and something is lost, and writes the whole report.', async () => {
    const reportFile = join(dataDir, 'report.jsonl');
    const strict = await importWith('--strict', '--report', reportFile, '--site-root', '/portal');
    expect(strict.code).toBe(1);
    expect(strict.out).toContain('nothing was changed');
    expect(strict.out).toContain('1 lost: things that this server does not have');
    expect(await readFile(reportFile, 'utf8')).toContain('"key":"portlets.left.0"');
    const dry = await importWith('--dry-run', '--site-root=/portal');
    expect(dry).toMatchObject({ code: 0 });
    expect(dry.out).toContain('Page: colour (Text line (String))');
    const real = await importWith('--site-root=/portal', '--text-as-blocks');
    expect(real.code).toBe(0);
    expect(real.out).toMatch(/objects: +1 created, 0 skipped, 0 failed/);
  });

  it('canopy import says in one line that a report cannot be written.', async () => {
    const { code, err } = await importWith('--report', join(dataDir, 'no', 'such', 'folder'));
    expect(code).toBe(1);
    expect(err).toMatch(/^canopy: The report cannot be written: .*\n$/);
  });
});
