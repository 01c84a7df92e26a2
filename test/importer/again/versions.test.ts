import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { describeEachEngine } from '../../support/database.ts';
import { startTestSite, type TestSite } from '../../support/site.ts';
import { updateStored } from './edit-here.ts';
import { add, importNow, type OldSite, oldSite, save } from './old-site.ts';

const day = (number: number) => `2024-03-0${number}T12:00:00+00:00`;

const text = (words: string) => ({ a: { '@type': 'slate', value: [{ type: 'p', children: [{ text: words }] }] } });

/** A page that was saved twice: version 0 by jane, version 1 by joe. */
function savedTwice(): OldSite {
  const old = oldSite();
  add(old, {
    ...{ uid: 'page', title: 'First', description: 'As it was', creators: ['jane'] },
    ...{ changeNote: 'Begun', changeActor: 'jane', blocks: text('one'), blocks_layout: { items: ['a'] } },
  });
  save(old, 'page', { title: 'Second', modified: day(1), changeNote: 'Mended', changeActor: 'joe' });
  return old;
}

describeEachEngine('versions in a newer export', (engine) => {
  let site: TestSite;

  const get = async (path: string) => (await site.request('GET', path)).body;
  const history = async () =>
    (await get('/page/@history')).filter(({ type }: { type: string }) => type === 'versioning');
  /** The history as lines, the newest first. */
  const lines = async () =>
    (await history()).map(
      ({
        version,
        actor,
        comments,
        time,
      }: {
        version: number;
        actor: { id: string };
        comments: string;
        time: string;
      }) => `${version} ${actor.id} ${comments} ${time.slice(0, 10)}`,
    );

  beforeEach(async () => {
    site = await startTestSite(engine, { profile: 'plone' });
    onTestFinished(() => site.close());
  });

  it('Each save since the last import is a version with its author, note and time, and none is there twice.', async () => {
    const old = savedTwice();
    await importNow(site.kernel, old);
    save(old, 'page', {
      title: 'Third',
      blocks: text('two'),
      modified: day(2),
      changeNote: 'More',
      changeActor: 'ann',
    });
    save(old, 'page', { description: 'New', modified: day(3), changeNote: 'Described', changeActor: 'joe' });
    save(old, 'page', { title: 'Fourth', modified: day(4), changeNote: 'Last', changeActor: 'jane' });
    const summary = await importNow(site.kernel, old, 'stop');
    expect(summary.again?.counts).toMatchObject({ changed: 1, conflicts: 0 });
    expect(summary.again?.changes[0]?.parts).toContain('versions');
    const whole = [
      '4 jane Last 2024-03-04',
      '3 joe Described 2024-03-03',
      '2 ann More 2024-03-02',
      '1 joe Mended 2024-03-01',
      '0 jane Begun 2024-01-02',
    ];
    expect(await lines()).toEqual(whole);
    const changed = (await history()).map(({ changed_fields: fields }: { changed_fields: string[] }) => fields.sort());
    expect(changed.slice(0, 3)).toEqual([['title'], ['description'], ['blocks', 'title']]);
    expect(await get('/page/@history/1')).toMatchObject({
      title: 'Second',
      description: 'As it was',
      blocks: text('one'),
    });
    expect(await get('/page/@history/2')).toMatchObject({
      title: 'Third',
      description: 'As it was',
      blocks: text('two'),
    });
    expect(await get('/page/@history/3')).toMatchObject({ title: 'Third', description: 'New' });
    expect(await get('/page')).toMatchObject({ title: 'Fourth', description: 'New', blocks: text('two') });
    const third = await importNow(site.kernel, old, 'stop');
    expect(third.again?.counts).toMatchObject({ changed: 0, unchanged: 1, conflicts: 0 });
    expect(await lines()).toEqual(whole);
    save(old, 'page', { title: 'Fifth', modified: day(5), changeNote: 'One more', changeActor: 'ann' });
    await importNow(site.kernel, old, 'stop');
    expect(await lines()).toEqual(['5 ann One more 2024-03-05', ...whole]);
  });

  it('They are merged with edits here, which stay in the history between them.', async () => {
    const old = savedTwice();
    await importNow(site.kernel, old);
    await updateStored(site.kernel, '/page', { description: 'Ours' });
    save(old, 'page', { title: 'Third', modified: day(2), changeNote: 'More', changeActor: 'ann' });
    save(old, 'page', { title: 'Fourth', modified: day(3), changeNote: 'Last', changeActor: 'joe' });
    await importNow(site.kernel, old, 'stop');
    expect((await lines()).map((line: string) => line.slice(0, -11))).toEqual([
      ...['4 joe Last', '3 ann More', '2 admin ', '1 joe Mended', '0 jane Begun'],
    ]);
    const times = (await history()).map(({ time }: { time: string }) => time);
    expect(times).toEqual([...times].sort().reverse());
    expect(await get('/page/@history/2')).toMatchObject({ title: 'Second', description: 'Ours' });
    expect(await get('/page/@history/3')).toMatchObject({ title: 'Third', description: 'Ours' });
    expect(await get('/page')).toMatchObject({ title: 'Fourth', description: 'Ours' });
    const reverted = await site.request('PATCH', '/page/@history', { json: { version: 3 } });
    expect(reverted.status).toBe(200);
    expect(await get('/page')).toMatchObject({ title: 'Third', description: 'Ours' });
  });

  it('A change that was taken back there, and a save that changed nothing, are versions as well.', async () => {
    const old = savedTwice();
    await importNow(site.kernel, old);
    save(old, 'page', { title: 'A mistake', modified: day(2), changeNote: 'Oops', changeActor: 'ann' });
    save(old, 'page', { title: 'Second', modified: day(3), changeNote: 'Back', changeActor: 'joe' });
    save(old, 'page', { modified: day(4), changeNote: 'Approved', changeActor: 'jane' });
    const summary = await importNow(site.kernel, old, 'stop');
    expect(summary.again?.changes).toEqual([{ change: 'changed', path: '/page', parts: ['versions'] }]);
    expect((await lines()).slice(0, 3)).toEqual([
      ...['4 jane Approved 2024-03-04', '3 joe Back 2024-03-03', '2 ann Oops 2024-03-02'],
    ]);
    expect(await get('/page/@history/2')).toMatchObject({ title: 'A mistake' });
    expect(await get('/page/@history/1')).toMatchObject({ title: 'Second' });
    expect(await get('/page')).toMatchObject({ title: 'Second' });
    expect((await importNow(site.kernel, old, 'stop')).again?.counts).toMatchObject({ changed: 0 });
  });

  it('Versions that the first export did not have count as new by their times.', async () => {
    const old = savedTwice();
    const bare = { ...old.objects.get('page'), '@id': '/page', '@type': 'Document', UID: 'page' };
    await importNow(site.kernel, { ...old, objects: new Map([['page', { ...bare, 'exportimport.versions': {} }]]) });
    save(old, 'page', { title: 'Third', modified: day(2), changeNote: 'More', changeActor: 'ann' });
    save(old, 'page', { title: 'Fourth', modified: day(3), changeNote: 'Last', changeActor: 'joe' });
    await importNow(site.kernel, old, 'stop');
    expect((await lines()).map((line: string) => line.slice(2))).toEqual([
      ...['joe Last 2024-03-03', 'ann More 2024-03-02', 'joe Mended 2024-03-01'],
    ]);
  });

  it('A value of a version that does not fit is reported by the import that brings the version, and by no later one.', async () => {
    const old = savedTwice();
    save(old, 'page', { title: { not: 'a text' }, modified: day(2), changeNote: 'Broken', changeActor: 'ann' });
    save(old, 'page', { title: 'Third', modified: day(3), changeNote: 'Whole', changeActor: 'ann' });
    const keys = ({ problems }: { problems: { key: string | null }[] }) =>
      problems.flatMap(({ key }) => (key?.startsWith('exportimport.versions.') ? [key] : []));
    expect(keys(await importNow(site.kernel, old))).toEqual(['exportimport.versions.2.title']);
    save(old, 'page', { title: { not: 'a text' }, modified: day(4), changeNote: 'Broken', changeActor: 'ann' });
    save(old, 'page', { title: 'Fourth', modified: day(5), changeNote: 'Whole', changeActor: 'ann' });
    expect(keys(await importNow(site.kernel, old, 'keep'))).toEqual(['exportimport.versions.4.title']);
    expect((await lines()).length).toBe(6);
  });

  it('The retention of versions holds for them.', async () => {
    const old = savedTwice();
    await importNow(site.kernel, old);
    await site.request('PATCH', '/@controlpanels/versioning', { json: { keep: 2 } });
    for (const [index, title] of ['Third', 'Fourth', 'Fifth'].entries())
      save(old, 'page', { title, modified: day(2 + index), changeNote: title, changeActor: 'ann' });
    await importNow(site.kernel, old, 'stop');
    expect(await lines()).toEqual(['4 ann Fifth 2024-03-04', '3 ann Fourth 2024-03-03']);
    expect(await get('/page/@history/3')).toMatchObject({ title: 'Fourth' });
  });
});
