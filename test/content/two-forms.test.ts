import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import { type Exchange, type Json, startTestSite, type TestSite } from '../support/site.ts';

describeEachEngine('two forms of one user with one lock', (engine) => {
  let site: TestSite;
  let pages = 0;
  beforeAll(async () => {
    site = await startTestSite(engine);
  });
  afterAll(() => site?.close());

  const page = async (): Promise<string> => {
    pages += 1;
    const json = { '@type': 'Page', id: `page-${pages}`, title: 'First', description: 'One two three' };
    expect((await site.request('POST', '/', { json })).status).toBe(201);
    return `/page-${pages}`;
  };
  const open = async (path: string): Promise<string> =>
    (await site.request('POST', `${path}/@lock`, { json: {} })).body.token;
  const save = (path: string, token: string, json: Json): Promise<Exchange> =>
    site.request('PATCH', path, { json, headers: { 'Lock-Token': token } });
  const read = async (path: string): Promise<Json> => (await site.request('GET', path)).body;

  it('the second form that saves overwrites nothing of the first', async () => {
    const path = await page();
    const [one, other] = [await open(path), await open(path)];
    expect((await save(path, one, { title: 'One', description: 'Zero two three' })).status).toBe(204);
    const { status, body } = await save(path, other, { title: 'Other', description: 'One two three' });
    expect([status, body.conflicts]).toEqual([409, [{ field: 'title', base: 'First', mine: 'Other', theirs: 'One' }]]);
    expect(body.message).toContain('Nothing was saved');
    expect((await save(path, other, { title: 'First', description: 'One two four' })).status).toBe(204);
    expect(await read(path)).toMatchObject({ title: 'One', description: 'Zero two four' });
  });

  it('each form may save again and again what it has written alone', async () => {
    const path = await page();
    const one = await open(path);
    for (const title of ['Second', 'Third']) expect((await save(path, one, { title })).status).toBe(204);
    const other = await open(path);
    for (const title of ['Fourth', 'Fifth', 'Fourth']) expect((await save(path, one, { title })).status).toBe(204);
    expect((await save(path, other, { title: 'Sixth' })).status).toBe(409);
    expect((await save(path, other, { title: 'Third', description: 'New' })).status).toBe(204);
    expect((await save(path, one, { description: 'One two three', title: 'Fifth' })).status).toBe(204);
    expect(await read(path)).toMatchObject({ title: 'Fifth', description: 'New' });
  });

  it('a form that is opened behind a save begins from it', async () => {
    const path = await page();
    const one = await open(path);
    await save(path, one, { title: 'Second' });
    const other = await open(path);
    expect((await save(path, other, { title: 'Third' })).status).toBe(204);
    expect((await save(path, one, { title: 'Fourth' })).status).toBe(409);
    const { lock } = await read(path);
    expect((await save(path, lock.token, { title: 'Fourth' })).status).toBe(204);
  });

  it('a refreshed lock has the token of the form that asks, and other locks open with none of them', async () => {
    const path = await page();
    const [one, other] = [await open(path), await open(path)];
    for (const token of [one, other]) {
      const { body } = await site.request('PATCH', `${path}/@lock`, { headers: { 'Lock-Token': token } });
      expect(body.token).toBe(token);
    }
    const [elsewhere] = [await page()];
    const foreign = await open(elsewhere);
    for (const token of [foreign, 'opened-000000000', `${one}0`, one.slice(0, 30), ''])
      expect((await save(path, token, { title: 'No' })).status).toBe(403);
    await site.request('DELETE', `${path}/@lock`);
    expect((await save(path, one, { title: 'One' })).status).toBe(204);
    expect((await save(path, other, { title: 'Other' })).status).toBe(409);
  });

  it('many forms cost a bounded place, and lose nothing', async () => {
    const path = await page();
    const tokens: string[] = [];
    for (let form = 0; form < 30; form += 1) tokens.push(await open(path));
    for (const [form, token] of tokens.entries())
      await save(path, token, { [form % 2 === 0 ? 'title' : 'description']: `Of form ${form}` });
    const [row] = await site.kernel.db.query<{ forms: number }>({
      text: `select (select count(*)::int from jsonb_object_keys(lock->'forms')) as forms from content where path = $1`,
      values: [path],
    });
    expect(row?.forms).toBeLessThanOrEqual(20);
    expect(await read(path)).toMatchObject({ title: 'Of form 0', description: expect.stringMatching('Of form 1') });
  });

  it('a site that merges no such changes has the last one count', async () => {
    const path = await page();
    const set = (json: Json) => site.request('PATCH', '/@controlpanels/editing', { json });
    await set({ merge_ended_locks: false });
    const [one, other] = [await open(path), await open(path)];
    await save(path, one, { title: 'One' });
    expect((await save(path, other, { title: 'Other' })).status).toBe(204);
    await set({ merge_ended_locks: true });
    expect((await read(path)).title).toBe('Other');
  });
});
