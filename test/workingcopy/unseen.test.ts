import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Element, PUBLISH, rulesOf } from '../content-rules/rule-site.ts';
import { describeEachEngine } from '../support/database.ts';
import { PAGE } from '../support/profiles.ts';
import { transactionsOf } from '../transactions/transactions-site.ts';
import { startWorkingCopySite, type WorkingCopySite } from './working-copy-site.ts';

const PIXEL = {
  ...{ filename: 'pixel.gif', 'content-type': 'image/gif', encoding: 'base64' },
  data: 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
};

describeEachEngine('working copies that are not checked in', (engine) => {
  let site: WorkingCopySite;
  beforeAll(async () => {
    site = await startWorkingCopySite(engine);
  });
  afterAll(() => site?.close());
  const { newest, undo, change } = transactionsOf(() => site);
  const request: WorkingCopySite['request'] = (...args) => site.request(...args);
  const rules = () => rulesOf(site);

  /** Everything that visitors could read of a folder, as one text. */
  async function seenByVisitors(folder: string, word: string): Promise<string> {
    const paths = [
      folder,
      `${folder}/@search?SearchableText=${word}`,
      `${folder}/@search?sort_on=path`,
      `${folder}/@navigation?expand.navigation.depth=4`,
      `${folder}/@contextnavigation`,
      `${folder}/@related`,
      `${folder}/@site`,
    ];
    const found = await Promise.all(paths.map((path) => request('GET', path, { as: 'anonymous' })));
    const plain = await Promise.all(
      ['/sitemap.xml.gz', `${folder}/rss_view`, `${folder}/ics_view`].map((path) =>
        request('GET', path, { as: 'anonymous', headers: { Accept: '*/*' } }),
      ),
    );
    expect(found[0]?.status).toBe(200);
    return [...found, ...plain].map(({ text }) => text).join('\n');
  }

  it('start no rules, and a check-in is a modification of the original for rules', async () => {
    const { addRule, assign, addFolder, childrenOf } = rules();
    const folder = await addFolder();
    const archive = await addFolder();
    const path = await site.page(folder, 'prices', { title: 'Prices' });
    const copied: Element = { type: 'copy_item', target_folder: archive };
    const set: Element = { type: 'set_field', field: 'rights', value: 'Rule' };
    for (const event of [
      ...['onAfterAdd', 'onAfterCopy', 'onAfterMove', 'onAfterChangeWorkflow', 'onAfterDelete', 'onAfterAddComment'],
    ])
      await assign(folder, await addRule({ event, actions: [copied, ...(event === 'onAfterAdd' ? [PUBLISH] : [])] }));
    await assign(folder, await addRule({ event: 'onAfterModified', actions: [set] }));
    const copy = await site.checkOut(path);
    expect((await site.read(copy)).review_state).toBe('private');
    await site.patch(copy, { title: 'Unfinished', allow_discussion: true });
    expect((await site.read(copy)).rights).toBeNull();
    expect((await request('POST', `${copy}/@comments`, { json: { text: 'Look' } })).status).toBeLessThan(300);
    await request('PATCH', copy, { json: { id: 'renamed' } });
    const renamed = `${folder}/renamed`;
    await request('POST', `${renamed}/@workflow/submit`);
    expect(await childrenOf(archive)).toEqual([]);
    expect((await site.working('PATCH', renamed)).status).toBe(204);
    expect(await childrenOf(archive)).toEqual([]);
    expect(await site.read(path)).toMatchObject({ title: 'Unfinished', rights: 'Rule' });
    const second = await site.checkOut(path);
    const inside = await request('POST', second, { json: { '@type': PAGE, id: 'inside', title: 'Inside' } });
    if (inside.status === 201) expect((await site.read(`${second}/inside`)).review_state).toBe('private');
    if (inside.status === 201) await request('DELETE', `${second}/inside`);
    expect((await site.working('DELETE', path)).status).toBe(204);
    expect(await childrenOf(archive)).toEqual([]);
  });

  it('stay private when their folder is published with everything in it', async () => {
    const folder = await site.add('/', 'bulk');
    const path = await site.page(folder, 'prices', { title: 'Prices' });
    const copy = await site.checkOut(path);
    await site.patch(copy, { title: 'Wombat' });
    const json = { include_children: true };
    expect((await request('POST', `${folder}/@workflow/publish`, { json })).status).toBe(200);
    expect((await site.read(path)).review_state).toBe('published');
    expect((await site.read(copy)).review_state).toBe('private');
    expect((await request('GET', copy, { as: 'anonymous' })).status).toBe(401);
    const seen = await seenByVisitors(folder, 'wombat');
    expect(seen).toContain('Prices');
    expect(seen).not.toContain('Wombat');
    expect(seen).not.toContain(copy);
    expect((await site.working('PATCH', copy)).status).toBe(204);
    expect(await seenByVisitors(folder, 'wombat')).toContain('Wombat');
  });

  it('are seen by nobody else where content is public at once', async () => {
    const folder = await site.add('/', 'gallery');
    await site.publish(folder);
    const path = await site.add(folder, 'picture', { '@type': 'Image', image: PIXEL });
    expect((await request('GET', path, { as: 'anonymous' })).status).toBe(200);
    const copy = await site.checkOut(path);
    await site.patch(copy, { title: 'Quokka' });
    expect((await request('GET', copy, { as: 'anonymous' })).status).toBe(401);
    const member = await site.person('gallery-member');
    expect((await request('GET', copy, { as: member })).status).toBe(403);
    expect(await seenByVisitors(folder, 'quokka')).not.toContain('Quokka');
    const found = await request('GET', `${folder}/@search?SearchableText=Quokka`, { as: member });
    expect(found.body.items_total).toBe(0);
    const other = await site.add('/', 'gallery-of-copies');
    await site.publish(other);
    expect((await site.move(other, copy)).status).toBe(200);
    const moved = `${other}/${copy.split('/').at(-1)}`;
    expect((await request('GET', moved, { as: 'anonymous' })).status).toBe(401);
    // Without the original it is ordinary content.
    expect((await request('DELETE', folder)).status).toBe(204);
    expect((await request('GET', moved, { as: 'anonymous' })).status).toBe(200);
    expect(await seenByVisitors(other, 'quokka')).toContain('Quokka');
  });

  it('are seen by no more people than the original where that does not inherit local roles', async () => {
    const folder = await site.add('/', 'closed');
    const reader = await site.person('closed-reader');
    await site.share(folder, 'closed-reader', 'Reader');
    const path = await site.page(folder, 'secret');
    await request('POST', `${path}/@sharing`, { json: { entries: [], inherit: false } });
    expect((await request('GET', path, { as: reader })).status).toBe(403);
    expect((await request('GET', await site.checkOut(path), { as: reader })).status).toBe(403);
  });

  it('a check-in is undone, which leaves the working copy away, and that can be undone', async () => {
    const path = await site.page('/', 'undone', { title: 'Before' });
    const copy = await site.checkOut(path);
    await site.patch(copy, { title: 'After' });
    const checkIn = await change('PATCH', `${copy}/@workingcopy`);
    expect(checkIn).toMatchObject({ undoable: true, description: `${path}\nEdited: title, and 1 more` });
    const [removed] = (await request('GET', `/@audit-log?action=content.removed&path=${copy}`)).body.items;
    expect(removed).toMatchObject({ path: copy, details: { recyclable: false, into: path } });
    expect((await undo([checkIn])).status).toBe(200);
    const back = await newest();
    expect((await site.read(path)).title).toBe('Before');
    await site.expectFree(path);
    expect((await undo([back])).status).toBe(200);
    expect((await site.read(path)).title).toBe('After');
  });

  it('a check-out, the edits and the check-in are undone together and come back together', async () => {
    const path = await site.page('/', 'together', { title: 'Before' });
    const done = [await change('POST', `${path}/@workingcopy`)];
    const copy = (await site.read(path)).working_copy['@id'].slice(site.url.length);
    done.push(await change('PATCH', copy, { title: 'Between' }));
    done.push(await change('PATCH', copy, { title: 'After' }));
    done.push(await change('PATCH', `${copy}/@workingcopy`));
    expect((await undo(done)).status).toBe(200);
    expect((await site.read(path)).title).toBe('Before');
    expect((await undo([await newest()])).status).toBe(200);
    expect((await site.read(path)).title).toBe('After');
  });

  it('a check-in that changed nothing says that it cannot be undone', async () => {
    const path = await site.page('/', 'unchanged');
    const copy = await site.checkOut(path);
    const checkIn = await change('PATCH', `${copy}/@workingcopy`);
    const obstacle = `${copy} was checked in without a change.`;
    expect(checkIn).toMatchObject({ undoable: false, obstacle });
    const { status, body } = await undo([checkIn]);
    expect([status, body.errors[0].message]).toEqual([400, obstacle]);
  });
});
