import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSite, runCanopy } from '../support/run-canopy.ts';
import { canopy, filesIn } from './two-sites.ts';

describe('places of commands', { timeout: 300_000 }, () => {
  let folder: string;
  let data: string;
  const at = (name: string) => join(folder, name);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'canopy-places-'));
    data = at('data');
    await makeSite({ DATA_DIR: data, ADMIN_PASSWORD: 'admin' });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('A folder is edited by hand, and the site in a data folder follows.', async () => {
    expect(await canopy('pull', data, at('copy'))).toMatchObject({ code: 0, data: { objects: 1 } });
    const page = {
      uid: 'a'.repeat(32),
      type: 'Page',
      values: { title: 'By hand', creators: ['jo'], language: 'en' },
      settings: { review_state: 'published' },
    };
    const copy = at('copy');
    const place = join(copy, 'content', 'by-hand');
    await import('node:fs/promises').then(({ mkdir }) => mkdir(place));
    writeFileSync(join(place, '_object.json'), JSON.stringify(page));
    const made = await canopy('diff', data, copy, `--out=${at('plan.json')}`);
    expect(made).toMatchObject({
      code: 3,
      data: { counts: { setup: 0, created: 1, changed: 0, removed: 0, ordered: 0 } },
    });
    const done = await canopy('apply', at('plan.json'), '--to', data);
    expect(done).toMatchObject({ code: 0, data: { created: ['/by-hand'], conflicts: [], notes: [] } });
    expect((await canopy('diff', data, copy, '--set-up=none')).data.entries).toEqual([]);
  });

  it('An export is compared like the site that it was made of.', async () => {
    const exported = await runCanopy(['export', at('out.zip')], { DATA_DIR: data });
    expect(exported.code).toBe(0);
    const same = await canopy('diff', data, at('out.zip'));
    expect(same).toMatchObject({ code: 0, data: { setup: [], entries: [] } });
    await canopy('pull', at('out.zip'), at('from-export'));
    await canopy('pull', data, at('from-site'));
    expect(filesIn(at('from-export'))).toEqual(filesIn(at('from-site')));
    const refused = await canopy('apply', at('plan.json'), '--to', at('out.zip'));
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('is no site') });
  });

  it('Wrong names and files are one line that says what to do.', async () => {
    writeFileSync(at('broken.json'), '{"format":"canopy.plan","version":1,"setup":[],"entries":[{"change":"x"}]}');
    writeFileSync(at('empty.token'), '\n');
    for (const [code, ...args] of [
      [1, 'pull', at('nowhere'), at('x')],
      [1, 'pull', data, at('copy')],
      [1, 'pull', data, folder],
      [1, 'apply', at('broken.json'), '--to', data],
      [1, 'apply', at('nowhere.json'), '--to', data],
      [2, 'apply', at('plan.json')],
      [2, 'apply', at('plan.json'), '--to', data, '--conflicts=maybe'],
      [2, 'diff', data, data, '--path=news'],
      [2, 'diff', data, data, `--token-file=${at('empty.token')}`],
      [1, 'pull', 'http://127.0.0.1:9', at('x'), `--token-file=${at('empty.token')}`],
      [1, 'pull', 'http://127.0.0.1:9', at('x')],
    ] as const) {
      const result = await canopy(...args);
      expect([args.join(' '), result.code]).toEqual([args.join(' '), code]);
      expect(result.err.trim().split('\n')).toHaveLength(1);
    }
  });
});
