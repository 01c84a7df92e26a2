import { expect, it } from 'vitest';
import { addPerson } from '../content/people.ts';
import { describeEachEngine } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';
import { transactionsOf } from './transactions-site.ts';

describeEachEngine('the list of transactions', (engine) => {
  const site = useTestSite(engine);
  const { request, list, newest, undo, change, add, read } = transactionsOf(() => site);

  it('is filtered by path and by user, and the link to the next page keeps the filters', async () => {
    const folder = await add('/', { '@type': 'Folder', id: 'filtered' });
    await add('/', { id: 'filtered-not' });
    const { path } = await add(folder.path, { id: 'inside' });
    const pia = await addPerson(site, { id: 'pia', roles: ['Member', 'Editor'] });
    await change('POST', `${folder.path}/@sharing`, {
      entries: [{ id: 'pia', type: 'user', roles: { Editor: true } }],
    });
    await change('PATCH', path, { title: 'By Pia' }, pia);
    const pathsOf = async (query: string) => (await list(query)).map((one) => one.path);
    expect(await pathsOf('?path=/filtered')).toEqual([path, folder.path, path, folder.path]);
    expect(await pathsOf('?path=filtered/')).toEqual(await pathsOf('?path=/filtered'));
    expect(await pathsOf('?username=pia')).toEqual([path]);
    expect(await pathsOf('?username=pia&path=/filtered-not')).toEqual([]);
    expect(await pathsOf('?path=/')).toEqual(await pathsOf(''));
    const paged = await request('GET', '/@transactions?path=/filtered&username=admin&b_size=1');
    expect(paged.body).toHaveLength(1);
    expect(paged.headers.get('link')).toMatch(/path=%2Ffiltered&username=admin&b_size=1&b_start=1/);
    const moved = await change('PATCH', path, { id: 'elsewhere' });
    expect((await list('?path=/filtered/elsewhere'))[0].id).toBe(moved.id);
    expect(await list(`?path=${encodeURIComponent("/filtered' or true --")}`)).toEqual([]);
  });

  it('says beforehand which transactions cannot be undone, and why', async () => {
    const { path, added } = await add('/', { title: 'One' });
    expect(added).toMatchObject({ undoable: true, obstacle: null });
    const plain = await add('/', { versioning_enabled: false });
    const cases = [
      [await change('PATCH', plain.path, { title: 'Other' }), `${plain.path} has no versions.`],
      [
        await change('PATCH', '/@controlpanels/site', { site_title: 'Listed' }),
        'Settings cannot be undone here: change them in their control panel.',
      ],
      [
        await change('POST', '/@groups', { groupname: 'listed' }),
        'Changes of users, groups and the set-up of the site cannot be undone here.',
      ],
    ] as const;
    for (const [transaction, obstacle] of cases) {
      expect(transaction).toMatchObject({ undoable: false, obstacle });
      const { status, body } = await undo([transaction]);
      expect([status, body.errors]).toMatchObject([400, [{ field: 'transaction_ids.0', message: obstacle }]]);
    }
    const edited = await change('PATCH', path, { title: 'Two' });
    expect(edited.undoable).toBe(true);
    await undo([edited]);
    const [, undone] = await list();
    expect(undone).toMatchObject({ undone: true, undoable: false, obstacle: 'This has been undone already.' });
    const deleted = await change('DELETE', path);
    expect(deleted.undoable).toBe(true);
    const [entry] = (await request('GET', '/@recyclebin')).body.items;
    await request('DELETE', `/@recyclebin/${entry.recycle_id ?? entry.id}`);
    expect((await list()).find(({ id }) => id === deleted.id)).toMatchObject({
      undoable: false,
      obstacle: `${path} is no longer in the recycle bin.`,
    });
  });

  it('takes the empty entries of rows that are not ticked, and refuses a request of nothing else', async () => {
    const { path } = await add('/', { title: 'One' });
    const edited = await change('PATCH', path, { title: 'Two' });
    const send = (transaction_ids: unknown) => request('PATCH', '/@transactions', { json: { transaction_ids } });
    for (const ids of [[], [''], ['', ' ', '']]) {
      const { status, body } = await send(ids);
      expect([status, body.errors]).toMatchObject([
        400,
        [{ field: 'transaction_ids', message: 'must have at least one id' }],
      ]);
    }
    const refused = await send(['', '0 nothing', '']);
    expect([refused.status, refused.body.errors]).toMatchObject([
      400,
      [{ field: 'transaction_ids.1', message: 'There is no such transaction.' }],
    ]);
    expect((await send(['', 'words'])).body.errors[0].field).toBe('transaction_ids.1');
    expect((await send(['', null])).status).toBe(400);
    const ids = [edited.id, ...Array.from({ length: 999 }, () => '')];
    expect((await send(ids)).status).toBe(200);
    expect((await read(path)).title).toBe('One');
    const many = await send(Array.from({ length: 101 }, (_, index) => String(index + 1)));
    expect([many.status, many.body.errors[0].message]).toEqual([400, 'must have 100 ids at most']);
  });

  it('an undo of several edits of one field can be undone, and that as well', async () => {
    const { path } = await add('/', { title: 'One', description: 'A' });
    const edits = [
      await change('PATCH', path, { title: 'Two' }),
      await change('PATCH', path, { title: 'Three', description: 'B' }),
      await change('PATCH', path, { description: 'C' }),
    ];
    const now = async () => {
      const { title, description } = await read(path);
      return [title, description];
    };
    expect((await undo(edits)).status).toBe(200);
    expect(await now()).toEqual(['One', 'A']);
    expect((await undo([await newest()])).status).toBe(200);
    expect(await now()).toEqual(['Three', 'C']);
    expect((await undo([await newest()])).status).toBe(200);
    expect(await now()).toEqual(['One', 'A']);
  });
});
