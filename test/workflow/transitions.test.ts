import { afterAll, beforeAll, expect, it } from 'vitest';
import { contentOf } from '../history/history-site.ts';
import { CountingDatabase } from '../support/counting-database.ts';
import { describeEachEngine } from '../support/database.ts';
import { type Json, startTestSite, type TestSite, type Who } from '../support/site.ts';

describeEachEngine('transitions', (engine) => {
  let site: TestSite;
  let counter: CountingDatabase;
  beforeAll(async () => {
    site = await startTestSite(engine, {
      wrap: (db) => {
        counter = new CountingDatabase(db);
        return counter;
      },
    });
  });
  afterAll(() => site.close());
  const { add, edit, addUser, share, isolate, read, transition, go } = contentOf(() => site);
  const folder = (container = '/', data: Json = {}) => add(container, { '@type': 'Folder', ...data });
  const stateOf = async (path: string) => (await read(path)).review_state;
  it('a transition of children runs as many SQL statements for many as for few', async () => {
    const statements = async (children: number) => {
      const top = await folder();
      const sub = await folder(top);
      for (let i = 0; i < children; i += 1) await add(i % 2 ? top : sub);
      return (await counter.during(() => go(top, 'publish', { include_children: true }))).length;
    };
    expect(await statements(12)).toBe(await statements(2));
  });

  it('a transition with children changes those that have it, and leaves the rest', async () => {
    const top = await folder();
    const [page, published, image] = [
      await add(top),
      await add(top),
      await add(top, { '@type': 'Link', remoteUrl: 'https://example.org' }),
    ];
    await go(published, 'publish');
    const { effective, modified } = await read(published);
    await go(top, 'publish', { include_children: true, comment: 'All of it' });
    expect(await stateOf(page)).toBe('published');
    expect(await stateOf(image)).toBe('published');
    expect(await read(published)).toMatchObject({ effective, modified });
    const { history } = await read(`${page}/@workflow`);
    expect(history.at(-1)).toMatchObject({ action: 'publish', comments: 'All of it', actor: 'admin' });
    expect((await site.request('GET', page, { as: 'anonymous' })).status).toBe(200);
    expect((await read(top, 'anonymous')).items).toHaveLength(3);
  });

  it('a transition with children continues below a container that is in the state already', async () => {
    const top = await folder('/', { id: 'news' });
    const neighbour = await folder('/', { id: 'news-archive' });
    const inside = await add(neighbour);
    const page = await add(top);
    await go(top, 'publish');
    await go(top, 'publish', { include_children: true });
    expect([await stateOf(page), await stateOf(inside), await stateOf(neighbour)]).toEqual([
      'published',
      'private',
      'private',
    ]);
  });

  it('a transition with children changes only those that the caller may change', async () => {
    const reviewer = await addUser();
    const top = await folder();
    const [open, closed] = [await add(top), await add(top)];
    await share(top, reviewer, 'Reviewer', 'Reader');
    await isolate(closed);
    await go(top, 'publish', { include_children: true }, reviewer);
    expect([await stateOf(top), await stateOf(open), await stateOf(closed)]).toEqual([
      'published',
      'published',
      'private',
    ]);
  });

  it('a transition sets the given dates, also of the children', async () => {
    const top = await folder();
    const page = await add(top);
    const dates = { effective: '2031-01-01T00:00:00.000Z', expires: '2032-01-01T00:00:00.000Z' };
    await go(top, 'publish', { ...dates, include_children: true });
    expect(await read(top)).toMatchObject(dates);
    expect(await read(page)).toMatchObject(dates);
    const later = '2031-06-01T00:00:00.000Z';
    await go(top, 'publish', { effective: later });
    expect(await read(top)).toMatchObject({ ...dates, effective: later });
    expect((await read(`${top}/@history/0`)).effective).toBeNull();
  });

  it('a transition rejects dates that are malformed, contradictory, or not for the caller to set', async () => {
    const page = await add();
    const tried = async (json: Json, as: Who = 'admin') => (await transition(page, 'submit', json, as)).status;
    expect(await tried({ effective: 'soon' })).toBe(400);
    expect(await tried({ effective: 5 })).toBe(400);
    expect(await tried({ effective: '2032-01-01', expires: '2031-01-01' })).toBe(400);
    const reviewer = await addUser();
    await share(page, reviewer, 'Reviewer', 'Reader');
    expect((await transition(page, 'publish', { expires: '2040-01-01' }, reviewer)).status).toBe(403);
    expect((await read(page)).review_state).toBe('private');
    expect((await transition(page, 'publish', {}, reviewer)).status).toBe(200);
  });

  it('a transition publishes no child before a date that the caller may not set', async () => {
    const editor = await addUser();
    const top = await folder();
    const page = await add(top);
    await share(top, editor, 'Editor', 'Reviewer');
    await isolate(page);
    await share(page, editor, 'Reviewer', 'Reader');
    await go(top, 'publish', { effective: '2040-01-01', include_children: true }, editor);
    expect([await stateOf(top), await stateOf(page)]).toEqual(['published', 'private']);
  });

  it('two transitions at the same time run one after the other', async () => {
    const top = await folder();
    const page = await add(top);
    const answers = await Promise.all([
      transition(top, 'publish', { include_children: true }),
      transition(page, 'submit'),
      edit(page, { title: 'Meanwhile' }),
      transition(top, 'publish', { include_children: true }),
    ]);
    for (const answer of answers) expect([200, 400]).toContain(answer?.status ?? 200);
    expect(await stateOf(top)).toBe('published');
    expect(await stateOf(page)).toMatch(/published|pending/);
    expect((await read(page)).title).toBe('Meanwhile');
  });

  it('a transition by an anonymous caller gets 401', async () => {
    const page = await add();
    await go(page, 'publish');
    for (const name of ['retract', 'publish', 'unknown'])
      expect((await transition(page, name, {}, 'anonymous')).status).toBe(401);
    const member = await addUser();
    expect((await transition(page, 'retract', {}, member)).status).toBe(400);
    expect((await transition(page, 'publish', { effective: '2001-01-01' }, member)).status).toBe(403);
    expect(await stateOf(page)).toBe('published');
  });

  it('a transition with a comment that cannot be stored gets 400', async () => {
    const page = await add();
    for (const comment of [5, 'a\u0000', 'a'.repeat(10_001)])
      expect((await transition(page, 'publish', { comment })).status).toBe(400);
    expect(await stateOf(page)).toBe('private');
  });
});
