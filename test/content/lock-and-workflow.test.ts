import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { locate } from '../../src/core/content/locate.ts';
import { loadHistory } from '../../src/core/content/statements/workflow-history.ts';
import { describeEachEngine } from '../support/database.ts';
import { type Exchange, type Json, startTestSite, type TestSite } from '../support/site.ts';
import { make } from './make.ts';
import { addPerson } from './people.ts';

type Person = { token: string };

describeEachEngine('locks', (engine) => {
  let site: TestSite;
  let ann: Person;
  let bob: Person;
  let pages = 0;

  const page = (): Promise<string> => {
    pages += 1;
    return make(site.kernel, '/', { id: `page-${pages}` });
  };
  const lock = (method: string, path: string, as: Person, json?: unknown): Promise<Exchange> =>
    site.request(method, `${path}/@lock`, { as, ...(json === undefined ? {} : { json }) });
  const patch = (path: string, as: Person, token?: string): Promise<number> =>
    site
      .request('PATCH', path, {
        as,
        json: { title: 'New' },
        headers: token === undefined ? {} : { 'Lock-Token': token },
      })
      .then(({ status }) => status);
  /** Makes a lock older by moving its start into the past. */
  const age = (path: string, seconds: number) =>
    site.kernel.db.query({
      text: `update content set lock = jsonb_set(lock, '{created}', to_jsonb($2::text)) where path = $1`,
      values: [path, new Date(Date.now() - seconds * 1000).toISOString()],
    });

  beforeAll(async () => {
    site = await startTestSite(engine);
    ann = await addPerson(site, { id: 'ann', roles: ['Member', 'Editor'] });
    bob = await addPerson(site, { id: 'bob', roles: ['Member', 'Editor'] });
  });
  afterAll(() => site?.close());

  it('changes of locked content need the token of the lock, also by its owner', async () => {
    const path = await page();
    const { status, body } = await lock('POST', path, ann, {});
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        locked: true,
        stealable: true,
        creator: 'ann',
        timeout: 600,
        token: expect.any(String),
      }),
    ]);
    expect([await patch(path, ann), await patch(path, bob), await patch(path, bob, 'x')]).toEqual([403, 403, 403]);
    expect(await patch(path, ann, body.token)).toBe(204);
    expect((await site.request('GET', path, { as: bob })).body.lock).toMatchObject({ locked: true, creator: 'ann' });
  });

  it('the lock of somebody else can be released by force only', async () => {
    const path = await page();
    const { token } = (await lock('POST', path, ann)).body;
    const refused = await lock('POST', path, bob);
    expect([refused.status, refused.body]).toEqual([200, expect.objectContaining({ locked: true, creator: 'ann' })]);
    // It only names the state in which bob has opened the page.
    expect(refused.body.token).not.toBe(token);
    expect(
      (
        await site.request('PATCH', path, {
          as: bob,
          json: { title: 'X' },
          headers: { 'Lock-Token': refused.body.token },
        })
      ).status,
    ).toBe(403);
    expect((await lock('PATCH', path, bob)).status).toBe(403);
    expect((await lock('DELETE', path, bob)).body).toMatchObject({ locked: true, creator: 'ann' });
    expect((await lock('POST', path, ann)).body).toMatchObject({ locked: true, creator: 'ann' });
    expect((await lock('DELETE', path, bob, { force: true })).body).toEqual({ locked: false, stealable: true });
    expect((await lock('POST', path, bob)).body).toMatchObject({ creator: 'bob' });
  });

  it('a lock that may not be stolen cannot be released by force', async () => {
    const path = await page();
    await lock('POST', path, ann, { stealable: false });
    expect((await lock('DELETE', path, bob, { force: true })).body).toMatchObject({
      locked: true,
      stealable: false,
      creator: 'ann',
    });
    expect((await lock('DELETE', path, ann)).body.locked).toBe(false);
  });

  it('a lock ends when its time is over, unless it is refreshed', async () => {
    const path = await page();
    const { token } = (await lock('POST', path, ann, { timeout: 60 })).body;
    await age(path, 50);
    expect((await lock('PATCH', path, ann)).body).toMatchObject({ token, timeout: 60 });
    await age(path, 59);
    expect(await patch(path, bob)).toBe(403);
    await age(path, 61);
    expect((await lock('GET', path, bob)).body.locked).toBe(false);
    expect(await patch(path, bob)).toBe(204);
    expect((await lock('POST', path, bob)).body).toMatchObject({ locked: true, creator: 'bob' });
  });

  it('of five callers that lock at once one gets the lock', async () => {
    const path = await page();
    const people = await Promise.all([1, 2, 3, 4, 5].map((n) => addPerson(site, { id: `e${n}`, roles: ['Editor'] })));
    const answers = await Promise.all(people.map((person) => lock('POST', path, person)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.creator)).size).toBe(1);
    const [held] = await site.kernel.db.query<{ token: string }>({
      text: `select lock->>'token' as token from content where path = $1`,
      values: [path],
    });
    const token = held?.token;
    expect(answers.filter(({ body }) => body.token === token)).toHaveLength(1);
  });

  it.each([
    { stealable: 'yes' },
    { timeout: 0 },
    { timeout: -1 },
    { timeout: 1.5 },
    { timeout: '60' },
    { timeout: 1e300 },
  ])('the lock request %j is rejected and locks nothing', async (json) => {
    const path = await page();
    expect((await lock('POST', path, ann, json)).status).toBe(400);
    expect((await lock('GET', path, ann)).body).toEqual({ locked: false, stealable: true });
  });

  it('a lock does not change the modification date', async () => {
    const path = await page();
    const { modified } = (await site.request('GET', path)).body;
    await lock('POST', path, ann);
    await lock('DELETE', path, ann);
    expect((await site.request('GET', path)).body.modified).toBe(modified);
  });
});

describeEachEngine('workflow', (engine) => {
  let site: TestSite;
  let reviewer: Person;
  let contributor: Person;
  let pages = 0;

  const page = (owner = 'admin'): Promise<string> => {
    pages += 1;
    return make(site.kernel, '/', { id: `page-${pages}` }, { owner });
  };
  const go = (path: string, transition: string, json: Record<string, unknown> = {}, as?: Person): Promise<Exchange> =>
    site.request('POST', `${path}/@workflow/${transition}`, { json, ...(as ? { as } : {}) });
  const get = async (path: string): Promise<Json> => (await site.request('GET', path)).body;
  const historyOf = async (path: string) => {
    const { resolved } = await locate(site.kernel, path);
    return loadHistory(site.kernel.db, resolved?.object.oid ?? 0);
  };

  beforeAll(async () => {
    site = await startTestSite(engine);
    reviewer = await addPerson(site, { id: 'rita', roles: ['Member', 'Reviewer'] });
    contributor = await addPerson(site, { id: 'connie', roles: ['Member', 'Contributor'] });
  });
  afterAll(() => site?.close());

  it('a page submitted by its author and published by a reviewer is public, and its history shows both steps', async () => {
    const path = await page('connie');
    expect((await go(path, 'publish', {}, contributor)).body).toMatchObject({
      type: 'WorkflowException',
      message: expect.stringContaining('submit'),
    });
    const submitted = await go(path, 'submit', { comment: 'Please look' }, contributor);
    expect([submitted.status, submitted.body]).toEqual([
      200,
      {
        action: 'submit',
        actor: 'connie',
        comments: 'Please look',
        review_state: 'pending',
        time: expect.any(String),
        title: 'Pending review',
      },
    ]);
    expect((await site.request('GET', path, { as: 'anonymous' })).status).toBe(401);
    expect((await go(path, 'publish', {}, reviewer)).status).toBe(200);
    const open = await site.request('GET', path, { as: 'anonymous' });
    expect([open.status, open.body.review_state]).toEqual([200, 'published']);
    expect(
      (await historyOf(path)).map(({ action, actor, reviewState, comments }) => [action, actor, reviewState, comments]),
    ).toEqual([
      [null, 'connie', 'private', ''],
      ['submit', 'connie', 'pending', 'Please look'],
      ['publish', 'rita', 'published', ''],
    ]);
    expect((await go(path, 'reject', {}, reviewer)).status).toBe(200);
    expect((await site.request('GET', path, { as: 'anonymous' })).status).toBe(401);
  });

  it('the first publication sets the publishing date, and later ones keep it', async () => {
    const path = await page();
    expect((await get(path)).effective).toBeNull();
    await go(path, 'publish');
    const { effective } = await get(path);
    expect(effective).toMatch(/^20.*Z$/);
    await go(path, 'retract');
    await go(path, 'publish');
    expect((await get(path)).effective).toBe(effective);
    await go(path, 'retract', { effective: '2030-01-01T00:00:00Z', expires: '2031-01-01' });
    expect(await get(path)).toMatchObject({
      effective: '2030-01-01T00:00:00.000Z',
      expires: '2031-01-01T00:00:00.000Z',
    });
  });

  it('a transition into the present state changes nothing', async () => {
    const path = await page();
    const first = await go(path, 'publish', { comment: 'Ready' });
    const before = await get(path);
    const again = await go(path, 'publish');
    expect(again.status).toBe(200);
    expect(again.body).toEqual(first.body);
    expect(await get(path)).toEqual(before);
    expect(await historyOf(path)).toHaveLength(2);
  });

  it.each([
    ['nothing', {}],
    ['constructor', {}],
    ['retract%00', {}],
    ['publish', { comment: 7 }],
    ['publish', { comment: 'a\u0000' }],
    ['publish', { include_children: 'yes' }],
    ['publish', { effective: 'soon' }],
    ['publish', { expires: 7 }],
    ['', {}],
  ])('the transition %s with %j is rejected, and the state stays', async (transition, json) => {
    const path = await page();
    const { status } = await go(path, transition, json);
    expect([400, 404]).toContain(status);
    expect([(await get(path)).review_state, (await historyOf(path)).length]).toEqual(['private', 1]);
  });

  it('content without a workflow has no transitions and is as visible as its container', async () => {
    const container = await page();
    const file = { data: 'YQ==', encoding: 'base64', filename: 'a.txt', 'content-type': 'text/plain' };
    const path = await make(site.kernel, container, { '@type': 'File', id: 'file', file });
    expect((await get(path)).review_state).toBeNull();
    expect((await go(path, 'publish')).status).toBe(400);
    expect((await site.request('GET', path, { as: 'anonymous' })).status).toBe(401);
    await go(container, 'publish');
    expect((await site.request('GET', path, { as: 'anonymous' })).status).toBe(200);
    expect((await site.request('GET', container, { as: 'anonymous' })).body.items_total).toBe(1);
  });

  describe('include_children', () => {
    it('include_children applies a transition to everything below that has it', async () => {
      const path = await page();
      const child = await make(site.kernel, path, { id: 'child' });
      const deep = await make(site.kernel, child, { id: 'deep' }, { state: 'pending' });
      const done = await make(site.kernel, path, { id: 'done' }, { state: 'published' });
      await make(site.kernel, '/', { id: `${path.slice(1)}-archive` });
      expect((await go(path, 'publish', { include_children: true, comment: 'All' })).status).toBe(200);
      for (const below of [path, child, deep, done]) expect((await get(below)).review_state).toBe('published');
      expect((await historyOf(deep)).at(-1)).toMatchObject({ action: 'publish', comments: 'All' });
      expect(await historyOf(done)).toHaveLength(2);
      expect((await get(`${path}-archive`)).review_state).toBe('private');
      expect((await site.request('GET', deep, { as: 'anonymous' })).status).toBe(200);
    });

    it('include_children skips content that the caller may not change', async () => {
      const path = await page('connie');
      const foreign = await make(site.kernel, path, { id: 'foreign' });
      await site.kernel.db.query({
        text: `update content set inherit_roles = false where path = $1`,
        values: [foreign],
      });
      const own = await make(site.kernel, path, { id: 'own' }, { owner: 'connie' });
      await go(path, 'submit', {}, contributor);
      expect((await get(own)).review_state).toBe('private');
      await go(path, 'retract', {});
      await go(path, 'submit', { include_children: true }, contributor);
      expect([(await get(own)).review_state, (await get(foreign)).review_state]).toEqual(['pending', 'private']);
    });
  });

  it('after two opposite transitions at once the state is the last one of the history', async () => {
    const path = await page();
    await go(path, 'submit');
    const answers = await Promise.all(
      ['publish', 'reject', 'publish', 'reject'].map((transition) => go(path, transition)),
    );
    for (const { status } of answers) expect([200, 400]).toContain(status);
    expect((await historyOf(path)).at(-1)?.reviewState).toBe((await get(path)).review_state);
  });
});
