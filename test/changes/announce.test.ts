import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { moveContent } from '../../src/core/content/move-content.ts';
import { removeContent } from '../../src/core/content/remove-content.ts';
import { callers } from '../../src/core/index.ts';
import { itemOf, seenEvent } from '../../src/features/changes/change-item.ts';
import { notesJson } from '../../src/features/changes/merge-notes.ts';
import { announceAlone } from '../../src/features/changes/statements/announce.ts';
import type { EventRow } from '../../src/features/changes/statements/feed.ts';
import { viewerOf } from '../../src/features/changes/viewer.ts';
import { addType } from '../content/add-type.ts';
import { make } from '../content/make.ts';
import { tokenOf } from '../content/people.ts';
import { describeEachEngine } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';
import { allSince, now, short } from './client.ts';

const VISITORS = callers.ANONYMOUS.principals;

const row = (changes: Partial<EventRow>): EventRow => ({
  ...{ position: 1, id: 'e', at: new Date(0), event: 'moved', oid: 1, uid: 'u', type: 'Page' },
  ...{ languageBefore: 'en', language: 'de', parentBefore: 2, parent: 3, pathBefore: '/a/x', path: '/b/x' },
  ...{ viewersBefore: [...VISITORS], viewers: [...VISITORS], data: {} },
  ...changes,
});

const seen = (changes: Partial<EventRow>) => {
  const event = seenEvent(row(changes), viewerOf(callers.ANONYMOUS));
  if (!event) return undefined;
  return itemOf(event, {
    addressOf: (path) => path,
    fieldsOf: (_type, names) => [...names],
    keysOf: ({ containers }) => [...containers].map(String),
  });
};

it('An item has neither the container nor the language of where its reader does not see the object.', () => {
  expect(seen({})).toMatchObject({ event: 'moved', language: 'de', keys: ['2', '3'] });
  expect(seen({ viewers: ['Manager'] })).toMatchObject({ event: 'removed', language: 'en', keys: ['2'], after: null });
  expect(seen({ viewersBefore: ['Manager'] })).toMatchObject({ event: 'created', language: 'de', keys: ['3'] });
  expect(seen({ viewersBefore: ['Manager'], viewers: ['Manager'] })).toBeUndefined();
});

it('Who asks for the comparison of all content does so first.', () => {
  const [first] = notesJson([{ content: 1, event: 'moved' }, 'anything']);
  expect(JSON.parse(first)[0]).toEqual({ anything: true });
});

it('Very many objects are in several texts, each once.', () => {
  const notes = Array.from({ length: 60_000 }, (_, i) => ({ content: i % 25_000, event: 'changed' }) as const);
  const texts = notesJson(notes).map((text) => JSON.parse(text));
  expect(texts.map(({ length }) => length)).toEqual([10_000, 10_000, 5000]);
  expect(new Set(texts.flat().map(({ content }) => content)).size).toBe(25_000);
});

describeEachEngine('what is announced', (engine) => {
  const site = useTestSite(engine);
  const oidOf = async (path: string): Promise<number> => {
    const [found] = await site.kernel.db.query<{ oid: number }>({
      text: 'select oid from content where path = $1',
      values: [path],
    });
    return Number(found?.oid);
  };

  it('The names of fields that only some readers may read are in no event.', async () => {
    await addType(site.kernel, {
      id: 'Dossier',
      properties: {
        remark: { factory: 'Text line (String)', read_permission: 'Manage portal' },
        note: { factory: 'Text line (String)' },
      },
    });
    await make(site.kernel, '/', { '@type': 'Dossier', id: 'dossier' }, { state: 'published' });
    const admin = await tokenOf(site, 'admin');
    const since = await now(site, 'anonymous');
    for (const json of [{ remark: 'Secret', note: 'Open' }, { remark: 'Other' }])
      expect((await site.request('PATCH', '/dossier', { as: admin, json })).status).toBe(204);
    const { items } = await allSince(site, 'anonymous', since);
    expect(items.map(short)).toEqual(['changed /dossier note', 'changed /dossier']);
  });

  it('An object that leaves a language is heard of by who follows that language.', async () => {
    await make(site.kernel, '/', { id: 'spoken' }, { state: 'published' });
    const oid = await oidOf('/spoken');
    const set = (language: string) =>
      site.kernel.db.transaction(async (tx) => {
        await tx.query({ text: 'update content set language = $2 where oid = $1', values: [oid, language] });
        await announceAlone(tx, [{ content: oid, event: 'changed', data: { fields: ['language'] } }], false);
      });
    await set('de');
    const since = await now(site, 'anonymous');
    await set('fr');
    for (const [language, count] of [
      ['de', 1],
      ['fr', 1],
      ['it', 0],
    ] as const)
      expect((await allSince(site, 'anonymous', since, { language })).items, language).toHaveLength(count);
  });

  it('The last of very many objects in one transaction has its event, too.', async () => {
    await make(site.kernel, '/', { id: 'last' }, { state: 'published' });
    const oid = await oidOf('/last');
    const admin = await tokenOf(site, 'admin');
    const since = await now(site, admin);
    const gone = Array.from({ length: 10_000 }, (_, i) => ({ content: 1_000_000_000 + i, event: 'changed' }) as const);
    const note = { content: oid, event: 'changed', data: { fields: ['title'] } } as const;
    await site.kernel.db.transaction((tx) => announceAlone(tx, [...gone, note], false));
    expect((await allSince(site, admin, since)).items.map(short)).toEqual(['changed /last title']);
  });

  it('What others may view below a container by its new state is announced, and nothing else.', async () => {
    // Without a workflow it is seen by those who see its container.
    await addType(site.kernel, { id: 'Leaf', workflow: null });
    await make(site.kernel, '/', { '@type': 'Folder', id: 'opened' });
    await make(site.kernel, '/opened', { '@type': 'Leaf', id: 'leaf' });
    for (const id of ['one', 'two']) await make(site.kernel, '/opened', { id });
    const admin = await tokenOf(site, 'admin');
    const publish = async (body: object) =>
      (await site.request('POST', '/opened/@workflow/publish', { as: admin, json: body })).status;
    const [since, visitors] = [await now(site, admin), await now(site, 'anonymous')];
    expect(await publish({})).toBe(200);
    expect((await allSince(site, admin, since)).items.map(short)).toEqual([
      'state /opened private→published',
      'rights /opened/leaf',
    ]);
    expect((await allSince(site, 'anonymous', visitors)).items.map(short)).toEqual([
      'created /opened',
      'created /opened/leaf',
    ]);
    const again = await now(site, admin);
    expect(await publish({ include_children: true })).toBe(200);
    expect((await allSince(site, admin, again)).items.map(short)).toEqual([
      'state /opened/one private→published',
      'state /opened/two private→published',
    ]);
  });

  it('An object that was removed and is back at the end of a transaction is changed.', async () => {
    await make(site.kernel, '/', { id: 'back' }, { state: 'published' });
    const [content, since] = [await oidOf('/back'), await now(site, 'anonymous')];
    await site.kernel.db.transaction((tx) =>
      announceAlone(
        tx,
        [
          { content, event: 'removed' },
          { content, event: 'restored' },
        ],
        false,
      ),
    );
    expect((await allSince(site, 'anonymous', since)).items.map(short)).toEqual(['changed /back']);
  });

  it('What a transaction takes out of a folder that it has moved is announced where it is now.', async () => {
    for (const id of ['was', 'into']) await make(site.kernel, '/', { '@type': 'Folder', id });
    for (const id of ['goes', 'leaves', 'stays']) await make(site.kernel, '/was', { id });
    await make(site.kernel, '/', { id: 'comes' });
    const admin = await tokenOf(site, 'admin');
    const since = await now(site, admin);
    await site.kernel.db.transaction(async (tx) => {
      const rest = { caller: callers.ADMINISTRATOR, lockToken: undefined };
      const move = (path: string, target: string) =>
        moveContent(site.kernel, { ...rest, target, sources: [{ path }] }, { tx });
      await move('/was', '/into');
      await move('/into/was/leaves', '/');
      await move('/comes', '/into/was');
      await removeContent(site.kernel, { ...rest, path: '/into/was/goes' }, { tx });
    });
    const { items } = await allSince(site, admin, since);
    // A second event of an object that was announced with the folder has the same path twice.
    expect(items.filter(({ before, after }) => before?.path !== after?.path).map(short)).toEqual([
      'moved /was → /into/was',
      'moved /comes → /into/was/comes',
      'moved /was/stays → /into/was/stays',
      'moved /was/leaves → /leaves',
      'removed /was/goes',
    ]);
  });

  it.runIf(engine === 'postgresql')('Events of an object have the order of the commits that change it.', async () => {
    await make(site.kernel, '/', { id: 'ordered' }, { state: 'published' });
    const [content, since] = [await oidOf('/ordered'), await now(site, 'anonymous')];
    const { db } = site.kernel;
    let open = (): void => undefined;
    const isAnnounced = new Promise<void>((resolve) => {
      open = resolve;
    });
    const hiding = db.transaction(async (tx) => {
      await tx.query({ text: `update catalog set allowed = '{Manager}' where oid = $1`, values: [content] });
      await announceAlone(tx, [{ content, event: 'rights' }], false);
      // What is deferred is sent with the next statement.
      await tx.query({ text: 'select 1' });
      open();
      await sleep(300);
    });
    await isAnnounced;
    const editing = db.transaction((tx) => announceAlone(tx, [{ content, event: 'changed' }], false));
    await Promise.all([hiding, editing]);
    expect((await allSince(site, 'anonymous', since)).items.map(short)).toEqual(['removed /ordered']);
  });
});
