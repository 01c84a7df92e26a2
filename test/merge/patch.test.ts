import { afterAll, beforeAll, expect, it } from 'vitest';
import { locate } from '../../src/core/content/locate.ts';
import { updateContentRow } from '../../src/core/content/statements/write-content.ts';
import { ACCESS_VERSIONS } from '../../src/core/security/permissions.ts';
import { addPerson } from '../content/people.ts';
import { describeEachEngine } from '../support/database.ts';
import { type Exchange, type Json, startTestSite, type TestSite } from '../support/site.ts';
import { slate } from './edits.ts';

const page = (title: string): Json => ({
  '@type': 'Page',
  title,
  description: 'The quick brown fox jumps over the lazy dog',
  subjects: ['red', 'blue'],
  blocks: { a: slate('One two three four'), b: slate('Five six'), c: { '@type': 'image', url: '/', align: 'left' } },
  blocks_layout: { items: ['a', 'b', 'c'] },
});

describeEachEngine('merging changes of content', (engine) => {
  let site: TestSite;
  let made = 0;
  beforeAll(async () => {
    site = await startTestSite(engine);
  });
  afterAll(() => site?.close());

  const add = async (more: Json = {}): Promise<string> => {
    made += 1;
    const { body } = await site.request('POST', '/', {
      json: { ...page(`Page ${made}`), ...more, id: `merged-${made}` },
    });
    return String(body['@id']).slice(site.url.length);
  };
  const read = async (path: string): Promise<{ etag: string; body: Json }> => {
    const { headers, body } = await site.request('GET', path);
    return { etag: String(headers.get('etag')), body };
  };
  const patch = (path: string, json: Json, query: Record<string, string> = {}, headers = {}): Promise<Exchange> =>
    site.request('PATCH', `${path}?${new URLSearchParams(query)}`, { json, headers });
  const withBlock = (body: Json, id: string, block: Json): Json => ({
    ...body,
    blocks: { ...body.blocks, [id]: block },
  });

  it('two editors who save the whole page lose nothing', async () => {
    const path = await add();
    const { etag, body } = await read(path);
    const first = withBlock(
      { ...body, title: 'By the first', subjects: ['red', 'blue', 'green'] },
      'a',
      slate('ONE two three four'),
    );
    const layout = { blocks_layout: { items: ['new', 'c', 'a', 'b'] } };
    const second = withBlock(
      withBlock(
        { ...body, ...layout, subjects: ['blue'], description: 'The quick brown fox jumps over the lazy cat' },
        'new',
        slate('New'),
      ),
      'a',
      slate('One two three FOUR'),
    );
    expect((await patch(path, first, { base: etag })).status).toBe(204);
    expect((await patch(path, second, { base: etag })).status).toBe(204);
    const merged = (await read(path)).body;
    expect(merged).toMatchObject({
      title: 'By the first',
      description: 'The quick brown fox jumps over the lazy cat',
      subjects: ['blue', 'green'],
      blocks_layout: { items: ['new', 'c', 'a', 'b'] },
    });
    expect(merged.blocks.a).toEqual(slate('ONE two three FOUR'));
    expect(merged.blocks.new).toEqual(slate('New'));
    expect(Object.keys(merged.blocks).sort()).toEqual(['a', 'b', 'c', 'new']);
  });

  it('a conflict is 409 with both sides and the base by block, and is resolved by one more PATCH', async () => {
    const path = await add();
    const { etag, body } = await read(path);
    expect(
      (await patch(path, withBlock({ ...body, title: 'Theirs' }, 'b', slate('Five SIX')), { base: etag })).status,
    ).toBe(204);
    const mine = withBlock(withBlock({ ...body, title: 'Mine' }, 'b', slate('Five 6')), 'a', slate('1 two three four'));
    const before = await read(path);
    const conflict = await patch(path, mine, { base: etag });
    expect(conflict.status).toBe(409);
    expect(conflict.body).toMatchObject({ type: 'Conflict', conflicts_total: 2, merged: { title: 'Theirs' } });
    expect(conflict.body.conflicts).toEqual([
      { field: 'blocks', block: 'b', base: slate('Five six'), mine: slate('Five 6'), theirs: slate('Five SIX') },
      { field: 'title', base: body.title, mine: 'Mine', theirs: 'Theirs' },
    ]);
    expect(conflict.body.merged.blocks.a).toEqual(slate('1 two three four'));
    expect(await read(path)).toEqual(before);
    const { merged, base } = conflict.body;
    const resolved = { ...merged, title: 'Both', blocks: { ...merged.blocks, b: slate('Five and 6') } };
    expect((await patch(path, resolved, { base })).status).toBe(204);
    const after = (await read(path)).body;
    expect(after.title).toBe('Both');
    expect([after.blocks.a, after.blocks.b]).toEqual([slate('1 two three four'), slate('Five and 6')]);
  });

  it.each(['mine', 'theirs'])('on_conflict=%s decides conflicts, and the rest is merged', async (side) => {
    const path = await add();
    const { etag } = await read(path);
    await patch(path, { title: 'Theirs', subjects: ['red'] }, { base: etag });
    const mine = { title: 'Mine', description: 'Mine alone' };
    expect((await patch(path, mine, { base: etag })).status).toBe(409);
    expect((await patch(path, mine, { base: etag, on_conflict: side })).status).toBe(204);
    expect((await read(path)).body).toMatchObject({
      title: side === 'mine' ? 'Mine' : 'Theirs',
      description: 'Mine alone',
      subjects: ['red'],
    });
  });

  it('a block that one side removed and the other changed is a conflict', async () => {
    const path = await add();
    const { etag, body } = await read(path);
    const { b: _removed, ...rest } = body.blocks;
    await patch(path, { blocks: rest, blocks_layout: { items: ['a', 'c'] } }, { base: etag });
    const { status, body: answer } = await patch(path, withBlock(body, 'b', slate('Changed')), { base: etag });
    expect(status).toBe(409);
    expect(answer.conflicts).toEqual([
      { field: 'blocks', block: 'b', base: slate('Five six'), mine: slate('Changed'), theirs: null },
    ]);
  });

  it('the number of a version is a base, as is the tag in other spellings', async () => {
    const path = await add();
    const { etag } = await read(path);
    await patch(path, { title: 'Second' });
    expect((await patch(path, { description: 'By number' }, { base: '0' })).status).toBe(204);
    expect((await patch(path, { title: 'Old title' }, { base: '0' })).status).toBe(409);
    for (const [i, base] of [`W/${etag}`, etag.slice(1, -1), `${etag.slice(0, -1)}-gzip"`].entries())
      expect((await patch(path, { subjects: [`s${i}`] }, { base, on_conflict: 'mine' })).status).toBe(204);
    expect((await read(path)).body).toMatchObject({ title: 'Second', description: 'By number' });
  });

  it('the state that a transition has made is a base', async () => {
    const path = await add();
    await patch(path, { description: 'A quick brown fox' });
    await site.request('POST', `${path}/@workflow/publish`, { json: {} });
    const { etag, body } = await read(path);
    await site.request('POST', `${path}/@workflow/retract`, { json: {} });
    await patch(path, { title: 'By the first' });
    expect((await patch(path, { ...body, description: 'A quick red fox' }, { base: etag })).status).toBe(204);
    expect((await read(path)).body).toMatchObject({ title: 'By the first', description: 'A quick red fox' });
    const { status, body: refused } = await patch(path, { title: 'By the second' }, { base: etag });
    expect([status, refused.conflicts]).toEqual([
      409,
      [{ field: 'title', base: body.title, mine: 'By the second', theirs: 'By the first' }],
    ]);
    const versions = (await site.request('GET', `${path}/@history`)).body.filter(({ version }: Json) => version > 0);
    const removed = versions.map(({ version }: Json) => Number(version)).sort((a: number, b: number) => a - b)[0];
    await site.kernel.db.query({
      text: 'delete from version where number = $1 and content = (select oid from content where path = $2)',
      values: [removed, path],
    });
    expect((await patch(path, { title: 'Later' }, { base: etag })).status).toBe(409);
  });

  it('a PATCH of the present state changes what it says, and one without a change makes no version', async () => {
    const path = await add();
    const { etag, body } = await read(path);
    expect((await patch(path, body, { base: etag })).status).toBe(204);
    expect((await read(path)).etag).toBe(etag);
    await patch(path, { title: 'Changed' });
    const after = await read(path);
    expect((await patch(path, body, { base: etag })).status).toBe(204);
    expect(await read(path)).toEqual(after);
  });

  it('If-Match stays 412, whatever the base is', async () => {
    const path = await add();
    const { etag } = await read(path);
    await patch(path, { title: 'Changed' });
    const { status } = await patch(path, { description: 'x' }, { base: etag }, { 'If-Match': etag });
    expect(status).toBe(412);
  });

  it('a base that nobody can have read is 400, and one that is not kept is 409 with what to do', async () => {
    const path = await add();
    for (const base of ['yesterday', '"abc"', '-1', '99999999999'])
      expect([base, (await patch(path, { title: 'x' }, { base })).status]).toEqual([base, 400]);
    expect((await patch(path, { title: 'x' }, { base: '1', on_conflict: 'nobody' })).status).toBe(400);
    expect((await patch(path, { title: 'x' }, { base: '-zzzzzzzzz' })).status).toBe(409);
    const unknown = await patch(path, { title: 'x' }, { base: '7' });
    expect([unknown.status, unknown.body.message]).toEqual([409, expect.stringContaining('Load the content again')]);
    const { etag } = await read(path);
    await site.request('PATCH', '/@controlpanels/versioning', { json: { keep: 1 } });
    await patch(path, { title: 'Second' });
    await patch(path, { title: 'Third' });
    await site.request('PATCH', '/@controlpanels/versioning', { json: { keep: null } });
    expect((await patch(path, { description: 'x' }, { base: etag })).status).toBe(409);
  });

  it('content without versions merges with its present state only', async () => {
    const path = await add({ versioning_enabled: false });
    const { etag } = await read(path);
    expect((await patch(path, { title: 'First' }, { base: etag })).status).toBe(204);
    expect((await patch(path, { title: 'Second' }, { base: etag })).status).toBe(409);
    expect((await read(path)).body.title).toBe('First');
  });

  it('former states need the permission to read them', async () => {
    const path = await add();
    const { etag } = await read(path);
    await patch(path, { title: 'Changed' });
    const as = await addPerson(site, { id: `editor-${made}`, roles: ['Member', 'Editor'] });
    const change = async (base: string) =>
      (await site.request('PATCH', `${path}?base=${encodeURIComponent(base)}`, { as, json: { title: 'Mine' } })).body;
    expect((await change(etag)).conflicts).toEqual([
      { field: 'title', base: `Page ${made}`, mine: 'Mine', theirs: 'Changed' },
    ]);
    const { resolved } = await locate(site.kernel, path);
    const localPermissions = { [ACCESS_VERSIONS]: { roles: ['Manager'], acquire: false } };
    await site.kernel.db.transaction((tx) => updateContentRow(tx, resolved?.object.oid ?? 0, { localPermissions }));
    for (const base of [etag, '0']) {
      const rejected = await change(base);
      expect([rejected.type, rejected.conflicts]).toEqual(['Forbidden', undefined]);
    }
    const { etag: present } = await read(path);
    expect(await change(present)).toBeFalsy();
    expect((await read(path)).body.title).toBe('Mine');
  });

  it('merged values fit their fields, else it is 400 and nothing is changed', async () => {
    const path = await add({ start: undefined });
    const { etag } = await read(path);
    await patch(path, { expires: '2031-01-01T00:00:00+00:00' });
    const { status, body } = await patch(path, { effective: '2032-01-01T00:00:00+00:00' }, { base: etag });
    expect([status, body.errors?.[0]?.field]).toEqual([400, 'expires']);
    expect((await read(path)).body.effective).toBeNull();
  });

  it('of simultaneous changes from one base each is there', async () => {
    const path = await add();
    const { etag, body } = await read(path);
    const ids = ['p', 'q', 'r', 's', 't'];
    const changes = ids.map((id) => {
      const changed = withBlock(body, id, slate(id));
      return patch(path, { blocks: changed.blocks, blocks_layout: { items: ['a', 'b', 'c', id] } }, { base: etag });
    });
    expect((await Promise.all(changes)).map(({ status }) => status)).toEqual(ids.map(() => 204));
    const { blocks, blocks_layout: layout } = (await read(path)).body;
    expect(Object.keys(blocks).sort()).toEqual(['a', 'b', 'c', ...ids]);
    expect(layout.items.slice(0, 3)).toEqual(['a', 'b', 'c']);
    expect(layout.items.slice(3).sort()).toEqual(ids);
  });
});
