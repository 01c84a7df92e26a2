import { beforeAll, describe, expect, it } from 'vitest';
import { make } from '../content/make.ts';
import { addPerson } from '../content/people.ts';
import { describeEachEngine } from '../support/database.ts';
import { PAGE } from '../support/profiles.ts';
import type { Json, Who } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';

describeEachEngine('@bulk', (engine) => {
  const site = useTestSite(engine);
  let editor: Who;
  beforeAll(async () => {
    editor = await addPerson(site, { id: 'ed' });
  });

  const send = (json: Json, { as = 'admin', at = '', query = '' }: { as?: Who; at?: string; query?: string } = {}) =>
    site.request('POST', `${at}/@bulk${query}`, { as, json });
  const get = async (path: string) => (await site.request('GET', path)).body;
  const status = async (path: string) => (await site.request('GET', path)).status;
  /** Makes a folder with pages. Returns its path and those of the pages. */
  async function folder(id: string, pages: readonly string[], fields: Json = {}) {
    await make(site.kernel, '/', { '@type': 'Folder', id });
    const paths: string[] = [];
    for (const name of pages) paths.push(await make(site.kernel, `/${id}`, { '@type': PAGE, id: name, ...fields }));
    return { path: `/${id}`, pages: paths };
  }
  const share = (path: string, id: string, roles: Json) =>
    site.request('POST', `${path}/@sharing`, { json: { entries: [{ id, type: 'user', roles }] } });
  const outcomes = (body: Json) => Object.fromEntries(body.items.map(({ item, outcome }: Json) => [item, outcome]));
  const reasonOf = (body: Json, item: string) => body.items.find((one: Json) => one.item === item)?.reason;

  it('tags are added to a selection, removed from it, and reported by object', async () => {
    const { pages } = await folder('tags', ['a', 'b', 'c']);
    await site.request('PATCH', '/tags/b', { json: { subjects: ['New', 'Kept'] } });
    await site.request('PATCH', '/tags/c', { json: { subjects: ['Old'] } });
    const { uid } = { uid: (await get('/tags/c')).UID };
    const { status: code, body } = await send({
      items: [pages[0] ?? '', `${site.url}/tags/b`, uid, '/no-such-page'],
      change: { tags: { add: ['New'], remove: ['Old'] } },
    });
    expect(code, JSON.stringify(body)).toBe(200);
    expect(outcomes(body)).toEqual({
      '/tags/a': 'changed',
      '/tags/b': 'unchanged',
      '/tags/c': 'changed',
      '/no-such-page': 'refused',
    });
    expect(body).toMatchObject({ changed: 2, unchanged: 1, refused: 1, transactions: [expect.any(Number)] });
    expect((await get('/tags/a')).subjects).toEqual(['New']);
    expect((await get('/tags/b')).subjects).toEqual(['New', 'Kept']);
    expect((await get('/tags/c')).subjects).toEqual(['New']);
  });

  it('the results of a search at and below an object are changed, containers first', async () => {
    await folder('search', ['one', 'two']);
    await make(site.kernel, '/search', { '@type': 'Folder', id: 'sub' });
    await make(site.kernel, '/search/sub', { id: 'three' });
    await make(site.kernel, '/', { id: 'outside', title: 'three' });
    const change = { transition: { id: 'publish', comment: 'All of it' } };
    const { body } = await send({ query: { portal_type: ['Page'], sort_on: 'created' }, change }, { at: '/search' });
    expect(outcomes(body)).toEqual({
      '/search/one': 'changed',
      '/search/sub/three': 'changed',
      '/search/two': 'changed',
    });
    expect((await get('/search/one')).review_state).toBe('published');
    expect((await get('/outside')).review_state).toBe('private');
    const again = await send({ query: { path: '/search' }, change });
    expect(outcomes(again.body)).toMatchObject({ '/search': 'changed', '/search/one': 'unchanged' });
    const limited = await send({ query: { path: '/search', sort_on: 'path', sort_limit: 2 }, change });
    expect(limited.body.items).toHaveLength(2);
    const none = await send({ query: { SearchableText: '*' }, change });
    expect([none.status, none.body.items]).toEqual([200, []]);
  });

  it('content is moved and copied; what lies below goes along once', async () => {
    const { pages } = await folder('from', ['a', 'b']);
    await make(site.kernel, '/from', { '@type': 'Folder', id: 'sub' });
    await make(site.kernel, '/from/sub', { id: 'deep' });
    await folder('to', ['a']);
    const copied = await send({ items: ['/from/sub/deep', '/from/sub'], change: { copy: { target: '/to' } } });
    expect(copied.body.items).toMatchObject([
      { item: '/from/sub', outcome: 'changed', target: `${site.url}/to/sub` },
      { item: '/from/sub/deep', outcome: 'changed', reason: 'It goes along with /from/sub.' },
    ]);
    expect([await status('/to/sub/deep'), await status('/to/deep')]).toEqual([200, 404]);
    await site.request('DELETE', '/to/sub');
    const moved = await send({ items: ['/from/sub/deep', ...pages, '/from/sub'], change: { move: { target: '/to' } } });
    expect(moved.body).toMatchObject({ changed: 4, refused: 0 });
    expect([await status('/to/copy_of_a'), await status('/to/b'), await status('/to/sub/deep')]).toEqual([
      200, 200, 200,
    ]);
    const again = await send({ items: ['/to/b', '/to'], change: { move: { target: '/to' } } });
    expect(outcomes(again.body)).toEqual({ '/to': 'refused', '/to/b': 'unchanged' });
    const missing = await send({ items: ['/to/b'], change: { move: { target: '/nowhere' } } });
    expect([missing.status, missing.body.message]).toEqual([400, expect.stringContaining('no container')]);
  });

  it('content that other content links to is kept, unless the links do not matter', async () => {
    await folder('links', ['target', 'source', 'free']);
    await site.request('PATCH', '/links/source', { json: { relatedItems: ['/links/target'] } });
    const remove = (items: string[], ignore_links = false) => send({ items, change: { delete: { ignore_links } } });
    const kept = await remove(['/links/target', '/links/free']);
    expect(outcomes(kept.body)).toEqual({ '/links/target': 'refused', '/links/free': 'changed' });
    expect(reasonOf(kept.body, '/links/target')).toContain('/links/source');
    // The source goes as well.
    expect((await remove(['/links/target', '/links/source'])).body).toMatchObject({ changed: 2 });
    await folder('linked', ['target', 'source']);
    await site.request('PATCH', '/linked/source', { json: { relatedItems: ['/linked/target'] } });
    expect((await remove(['/linked/target'], true)).body).toMatchObject({ changed: 1 });
    const together = await remove(['/linked/source', '/linked']);
    expect(together.body.items).toMatchObject([
      { item: '/linked', outcome: 'changed' },
      { item: '/linked/source', outcome: 'changed', reason: 'It goes along with /linked.' },
    ]);
    expect((await remove(['/'])).body.items[0]).toMatchObject({ outcome: 'refused', type: 'MethodNotAllowed' });
  });

  it('values of fields are set where the type has them, and text is replaced', async () => {
    const { pages } = await folder('values', ['a', 'b']);
    const set = await send({ items: ['/values', ...pages], change: { fields: { description: 'Same for all' } } });
    expect(set.body).toMatchObject({ changed: 3 });
    const again = await send({ items: pages, change: { fields: { description: 'Same for all' } } });
    expect(again.body).toMatchObject({ changed: 0, unchanged: 2, transactions: [] });
    const note = { description: 'Same for all', title: 'Noted', changeNote: 'For all of them' };
    expect((await send({ items: ['/values/b'], change: { fields: note } })).body).toMatchObject({ changed: 1 });
    const [newest] = await get('/values/b/@history');
    expect(newest.comments).toBe('For all of them');
    const wrong = await send({ items: pages, change: { fields: { no_such_field: 1 } } });
    expect(reasonOf(wrong.body, '/values/a')).toContain('has no field "no_such_field"');
    const invalid = await send({ items: pages, change: { fields: { title: 7 } } });
    expect(invalid.body).toMatchObject({ refused: 2 });
    const renamed = await send({ items: pages, change: { fields: { id: 'other' } } });
    expect(renamed.body).toMatchObject({ refused: 2 });
    const replace = {
      pattern: 'Same',
      replacement: 'Equal',
      regular_expression: false,
      ignore_case: false,
      urls: false,
    };
    const replaced = await send({ items: [...pages, '/values'], change: { replace } });
    expect(replaced.body).toMatchObject({ changed: 3 });
    expect((await get('/values/a')).description).toBe('Equal for all');
    expect((await send({ items: pages, change: { replace } })).body).toMatchObject({ unchanged: 2 });
    const broken = await send({
      items: pages,
      change: { replace: { ...replace, pattern: '(', regular_expression: true } },
    });
    expect(broken.status).toBe(400);
  });

  it('each object needs the rights of the caller, who learns nothing of others', async () => {
    await folder('rights', ['mine', 'seen', 'hidden']);
    await share('/rights/mine', 'ed', { Reader: true, Editor: true });
    await share('/rights/seen', 'ed', { Reader: true });
    const items = ['/rights/mine', '/rights/seen', '/rights/hidden', '/rights/none'];
    const { body } = await send({ items, change: { tags: { add: ['Mine'], remove: [] } } }, { as: editor });
    expect(outcomes(body)).toMatchObject({ '/rights/mine': 'changed', '/rights/seen': 'refused' });
    const [hidden, none] = ['/rights/hidden', '/rights/none'].map((item) => {
      const { item: _item, ...rest } = body.items.find((one: Json) => one.item === item);
      return rest;
    });
    expect(hidden).toEqual(none);
    const { UID } = await get('/rights/hidden');
    const byUid = await send({ items: [UID], change: { tags: { add: ['X'], remove: [] } } }, { as: editor });
    expect(byUid.text).not.toContain('/rights');
    const query = { path: '/rights' };
    const found = await send({ query, change: { delete: { ignore_links: true } } }, { as: editor });
    expect(outcomes(found.body)).toEqual({ '/rights/mine': 'changed', '/rights/seen': 'refused' });
    expect((await send({ items, change: { delete: { ignore_links: true } } }, { as: 'anonymous' })).status).toBe(401);
    expect((await get('/rights/seen')).subjects).toEqual([]);
  });

  it('locked content is refused, and the rest is changed', async () => {
    const { pages } = await folder('locked', ['a', 'b']);
    await site.request('POST', '/locked/a/@lock');
    for (const change of [
      { tags: { add: ['X'], remove: [] } },
      { fields: { description: 'X' } },
      { delete: { ignore_links: false } },
    ]) {
      const { body } = await send({ items: pages, change });
      expect(outcomes(body)).toEqual({ '/locked/a': 'refused', '/locked/b': 'changed' });
      expect(reasonOf(body, '/locked/a')).toContain('locked');
    }
  });

  it('a token changes what lies within its limits', async () => {
    await folder('token', ['in']);
    await folder('other', ['out']);
    const made = await site.request('POST', '/@access-tokens', {
      json: { name: 'narrow', methods: ['GET', 'POST', 'PATCH'], subtrees: ['/token'] },
    });
    const as = { token: made.body.token };
    const change = { tags: { add: ['X'], remove: [] } };
    const { body } = await send({ items: ['/token/in', '/other/out'], change }, { as, at: '/token' });
    expect(body.items).toMatchObject([
      { item: '/token/in', outcome: 'changed' },
      { item: '/other/out', outcome: 'refused', type: 'NotFound' },
    ]);
    const remove = { delete: { ignore_links: false } };
    const removed = await send({ items: ['/token/in'], change: remove }, { as, at: '/token' });
    expect(removed.body.items[0]).toMatchObject({ outcome: 'refused', type: 'Forbidden' });
    const moved = await send({ items: ['/token/in'], change: { move: { target: '/other' } } }, { as, at: '/token' });
    expect(moved.status).toBe(400);
    expect(await status('/token/in')).toBe(200);
  });

  it('the whole change is undone as one step', async () => {
    const { pages } = await folder('undo', ['a', 'b', 'c']);
    const { body } = await send({ items: pages, change: { fields: { title: 'Same' } } });
    expect(body.transactions).toHaveLength(1);
    const undone = await site.request('PATCH', '/@transactions', {
      json: { transaction_ids: body.transactions.map(String) },
    });
    expect(undone.status, undone.text).toBe(200);
    expect((await get('/undo/a')).title).toBe('a');
    expect((await get('/undo/c')).title).toBe('c');
  });

  it('a dry run reports every object, and changes none', async () => {
    const { pages } = await folder(
      'dry',
      Array.from({ length: 60 }, (_, i) => `p${i}`),
    );
    const change = { fields: { title: 'Dry' } };
    const dry = await send({ items: [...pages, '/nothing'], change }, { query: '?dry_run=1' });
    expect(dry.status, dry.text).toBe(200);
    expect(dry.body).toMatchObject({ dry_run: true, changed: 60, refused: 1, transactions: [] });
    expect(dry.body.changes.filter(({ type }: Json) => type === 'content')).toHaveLength(60);
    expect((await get('/dry/p0')).title).toBe('p0');
    const count = await site.kernel.db.query<{ n: number }>({ text: 'select count(*)::int as n from bulk_change' });
    expect(count[0]?.n).toBe(0);
  });

  it('a dry run of more objects than it compares names all of them', async () => {
    const { pages } = await folder(
      'wide',
      Array.from({ length: 110 }, (_, i) => `p${i}`),
    );
    const { body } = await send({ items: pages, change: { fields: { title: 'Wide' } } }, { query: '?dry_run=1' });
    const content = body.changes.filter(({ type }: Json) => type === 'content');
    expect(content.map(({ path }: Json) => path).sort()).toEqual([...pages].sort());
    expect(content.filter(({ fields }: Json) => fields !== undefined)).toHaveLength(100);
  });

  describe('refuses', () => {
    const change = { tags: { add: ['X'], remove: [] } };
    it.each<[string, Json, string]>([
      ['no selection', { change }, 'must be a list of objects'],
      ['an empty selection', { items: [], change }, 'must be a list of 1 to 1000'],
      ['too many objects', { items: Array.from({ length: 1001 }, () => '/x'), change }, 'must be a list of 1 to 1000'],
      ['an empty query', { query: {}, change }, 'must be an object with parameters'],
      ['an unknown index', { query: { portal_typ: 'Page' }, change }, 'no index'],
      ['a name of a prototype', { query: { constructor: 'Page' }, change }, 'no index'],
      ['no change', { items: ['/x'] }, 'change'],
      ['an empty change', { items: ['/x'], change: {} }, 'must have one of tags'],
      ['two changes', { items: ['/x'], change: { ...change, fields: { title: 'X' } } }, 'must have one of tags'],
      ['an unknown change', { items: ['/x'], change: { explode: {} } }, 'explode'],
      ['no tags', { items: ['/x'], change: { tags: {} } }, 'must have a tag'],
      ['a tag both ways', { items: ['/x'], change: { tags: { add: ['A'], remove: ['A'] } } }, 'the same tag'],
      ['a limit that is none', { query: { sort_limit: 'x' }, change }, 'sort_limit'],
      ['no container', { items: ['/x'], change: { move: {} } }, 'target'],
    ])('%s', async (_what, json, message) => {
      const { status: code, text } = await send(json);
      expect([code, text]).toEqual([400, expect.stringContaining(message)]);
    });
  });
});
