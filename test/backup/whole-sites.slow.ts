import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { file, furnish, mustOf } from '../site-export/furnish.ts';
import { describeQuickestEngine, engines } from '../support/database.ts';
import { PAGE } from '../support/profiles.ts';
import { runCanopy } from '../support/run-canopy.ts';
import type { Json, TestSite } from '../support/site.ts';
import { Places } from './places.ts';
import { idOf, objectsOf, readFiles, rowsOf } from './state-of-site.ts';

const TEXT = 'Bytes of a file that a backup has';

/** Each test makes and opens several databases. */
const SLOW = { timeout: 300_000 };

describeQuickestEngine('a backup of a whole site', (engine) => {
  const places = new Places();
  let site: TestSite;
  let place: Record<string, string>;
  let target: string;
  let stored: Record<string, string[]>;
  let objects: Json;
  beforeAll(async () => {
    target = join(await places.folder(), 'backups');
    place = await places.empty(engine);
    site = await places.serve(place);
    await furnish(site);
    await mustOf(site)('POST', '/', { '@type': 'File', id: 'paper', title: 'Paper', file: file('paper.txt', TEXT) });
    await readFiles(site);
  }, SLOW.timeout);
  afterAll(() => places.end());

  it('is made while the site is served and written to, and has each request whole or not at all', SLOW, async () => {
    const must = mustOf(site);
    await must('POST', '/', { '@type': 'Folder', id: 'left', title: 'Left' });
    await must('POST', '/', { '@type': 'Folder', id: 'right', title: 'Right' });
    for (const id of ['one', 'two']) await must('POST', '/left', { '@type': PAGE, id, title: id });
    let [moves, isOver] = [0, false];
    const writing = (async () => {
      for (; !isOver; moves += 1) {
        const [from, to] = moves % 2 === 0 ? ['left', 'right'] : ['right', 'left'];
        await must('POST', `/${to}/@move`, { source: [`/${from}/one`, `/${from}/two`] });
      }
    })();
    const { code, out, err } = await runCanopy(['backup', target, '--json'], place);
    isOver = true;
    await writing;
    expect(code, err).toBe(0);
    expect(moves).toBeGreaterThan(0);
    const other = await places.empty(engines().find((one) => one !== engine) ?? engine);
    expect(await runCanopy(['restore', target, `--backup=${idOf(out)}`], other)).toMatchObject({ code: 0 });
    const restored = await places.serve(other);
    const at = async (folder: string) => (await restored.request('GET', `/${folder}`)).body.items.length;
    expect([await at('left'), await at('right')].sort()).toEqual([0, 2]);
    // The other engine, which copies its database for the backup.
    const folder = await places.folder();
    expect(await runCanopy(['backup', folder], other)).toMatchObject({ code: 0 });
    expect(await runCanopy(['restore', folder, '--check'], other)).toMatchObject({ code: 0 });
    await restored.close();
  });

  it('comes back the same, row by row and object by object, on each engine', SLOW, async () => {
    const made = await runCanopy(['backup', target, '--json'], place);
    expect(made).toMatchObject({ code: 0 });
    expect(JSON.parse(made.out)).toMatchObject({ copied: { files: 0 } });
    [stored, objects] = [await rowsOf(site), await objectsOf(site)];
    expect(Object.values(stored).filter((rows) => rows.length > 0).length).toBeGreaterThan(30);
    for (const to of engines()) {
      const other = await places.empty(to);
      expect(await runCanopy(['restore', target], other)).toMatchObject({ code: 0 });
      const restored = await places.serve(other);
      expect(await objectsOf(restored)).toEqual(objects);
      expect(await rowsOf(restored)).toEqual(stored);
      const bytes = await fetch(`${restored.url}/paper/@@download/file`, {
        headers: { Authorization: `Basic ${Buffer.from('admin:admin').toString('base64')}` },
      });
      expect(await bytes.text()).toBe(TEXT);
      // Numbers go on, and triggers tell caches.
      const next = await mustOf(restored)('POST', '/', { '@type': PAGE, id: 'next', title: 'Next' });
      await mustOf(restored)('PATCH', '/next', { title: 'Changed' });
      expect((await restored.request('GET', '/next')).body).toMatchObject({ UID: next.UID, title: 'Changed' });
      await restored.close();
    }
  });

  it('replaces a site only with --replace, and then as a whole', SLOW, async () => {
    const other = await places.empty(engine);
    const old = await places.serve(other);
    await mustOf(old)('POST', '/', { '@type': PAGE, id: 'old', title: 'Old' });
    const busy = await runCanopy(['restore', target, '--replace'], other);
    expect(busy).toMatchObject({ code: 1, err: expect.stringMatching(/Stop (?:it|them)/) });
    await old.close();
    const refused = await runCanopy(['restore', target], other);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('--replace') });
    expect(await runCanopy(['restore', target, '--replace'], other)).toMatchObject({ code: 0 });
    const restored = await places.serve(other);
    expect((await restored.request('GET', '/old')).status).toBe(404);
    expect(await objectsOf(restored)).toEqual(objects);
    await restored.close();
  });

  it('is one file as well', SLOW, async () => {
    const archive = join(await places.folder(), 'site.tar');
    expect(await runCanopy(['backup', archive], place)).toMatchObject({ code: 0 });
    expect(await runCanopy(['backup', archive], place)).toMatchObject({
      code: 1,
      err: expect.stringContaining('there already'),
    });
    expect(await runCanopy(['restore', archive, '--check'], place)).toMatchObject({
      code: 0,
      out: expect.stringContaining('is whole'),
    });
    const bytes = await readFile(archive);
    await writeFile(archive, bytes.subarray(0, bytes.length / 2));
    expect(await runCanopy(['restore', archive, '--check'], place)).toMatchObject({
      code: 1,
      err: expect.stringContaining('damaged'),
    });
  });

  it('leaves the newest ones, and the files that these have', SLOW, async () => {
    const folder = await places.folder();
    const must = mustOf(site);
    await must('POST', '/', { '@type': 'File', id: 'brief', title: 'Brief', file: file('brief.txt', 'Soon gone') });
    const first = idOf((await runCanopy(['backup', folder, '--json'], place)).out);
    const blobs = async () =>
      (await readdir(join(folder, 'blobs'), { recursive: true })).filter((name) => name.length > 60).length;
    const before = await blobs();
    await must('DELETE', '/brief');
    await must('DELETE', `/@recyclebin/${(await must('GET', '/@recyclebin')).items[0].recycle_id}`);
    const second = JSON.parse((await runCanopy(['backup', folder, '--json', '--keep=1'], place)).out);
    expect(second.removed).toEqual([first]);
    expect(await readdir(join(folder, 'backups'))).toEqual([second.id]);
    expect(await blobs()).toBe(before - 1);
    expect(await runCanopy(['restore', folder, '--check'], place)).toMatchObject({ code: 0 });
  });
});
