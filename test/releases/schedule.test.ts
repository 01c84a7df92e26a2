import { expect, it } from 'vitest';
import { publishDue } from '../../src/features/releases/scheduled.ts';
import { make } from '../content/make.ts';
import { addPerson } from '../content/people.ts';
import { describeEachEngine } from '../support/database.ts';
import type { Json, Who } from '../support/site.ts';
import { useMailingSite } from '../support/use-site.ts';

const inMs = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();

describeEachEngine('releases at a time', (engine) => {
  const { site, sink } = useMailingSite(engine);
  let made = 0;
  const page = () => make(site.kernel, '/', { id: `page${++made}`, title: 'Before' });
  const release = async (parts: Json[], as: Who = 'admin'): Promise<string> => {
    const { status, body, text } = await site.request('POST', '/@releases', { as, json: { title: 'Summer', parts } });
    expect(status, text).toBe(201);
    return `/@releases/${body.id}`;
  };
  const schedule = (at: string, json: Json, as: Who = 'admin') => site.request('POST', `${at}/schedule`, { as, json });
  const read = async (at: string): Promise<Json> => (await site.request('GET', at)).body;
  /** Puts a schedule into the past, as if no server had run at its time. */
  const miss = (at: string) =>
    site.kernel.db.query({
      text: `update release set due = due - interval '2 days' where id = $1`,
      values: [at.slice('/@releases/'.length)],
    });
  const ended = async (at: string): Promise<Json> => {
    await expect.poll(async () => (await read(at)).state, { timeout: 15_000 }).not.toBe('scheduled');
    return read(at);
  };
  const edit = (path: string, title = 'After') => ({ method: 'PATCH', path, body: { title } });

  it('goes live at its time by itself, in the name of who has scheduled it', async () => {
    const path = await page();
    const at = await release([edit(path), { method: 'POST', path: `${path}/@workflow/publish`, body: {} }]);
    const time = inMs(2000);
    const { status, body, text } = await schedule(at, { at: time });
    expect(status, text).toBe(200);
    expect(body).toMatchObject({ state: 'scheduled', at: time, scheduled_by: 'admin' });
    expect((await site.request('PATCH', at, { json: { title: 'X' } })).status).toBe(409);
    expect((await site.request('DELETE', at)).status).toBe(409);
    expect((await read(path)).title).toBe('Before');
    expect(await ended(at)).toMatchObject({ state: 'published', published_by: 'admin', problem: null });
    expect(await read(path)).toMatchObject({ title: 'After', review_state: 'published' });
    const undone = await site.request('POST', `${at}/undo`);
    expect(undone.body.state, undone.text).toBe('undone');
    expect(await read(path)).toMatchObject({ title: 'Before', review_state: 'private' });
  });

  it('was missed: it goes live once, however many processes look for it', async () => {
    const path = await page();
    const at = await release([{ method: 'POST', path, body: { '@type': 'Page', id: 'only', title: 'Only' } }]);
    await schedule(at, { at: inMs(3_600_000) });
    await miss(at);
    const found = await Promise.all([1, 2, 3, 4].map(() => publishDue(site.kernel)));
    expect(found.filter(Boolean).length).toBeLessThanOrEqual(1);
    expect((await ended(at)).state).toBe('published');
    expect((await read(path)).items_total).toBe(1);
  });

  it('is taken from the schedule', async () => {
    const path = await page();
    const at = await release([edit(path)]);
    expect((await schedule(at, { at: inMs(-1000) })).status).toBe(400);
    await schedule(at, { at: inMs(3_600_000) });
    expect((await site.request('DELETE', `${at}/schedule`)).body).toMatchObject({ state: 'draft', at: null });
    await miss(at);
    expect(await publishDue(site.kernel)).toBe(false);
    expect((await read(path)).title).toBe('Before');
  });

  it('a conflict at its time stops all of it, and its people get a mail with the reason', async () => {
    const path = await page();
    const maker = await addPerson(site, { id: 'maker', roles: ['Member', 'Editor', 'Contributor'] });
    await site.kernel.db.query({ text: `update account set email = 'maker@example.org' where id = 'maker'` });
    const parts = [{ method: 'POST', path: '/', body: { '@type': 'Page', id: 'with', title: 'With' } }, edit(path)];
    const at = await release(parts, maker);
    await site.request('PATCH', path, { json: { title: 'By others' } });
    await schedule(at, { at: inMs(3_600_000) });
    await miss(at);
    await publishDue(site.kernel);
    const { state, problem, published } = await ended(at);
    expect([state, published, problem.part, problem.status]).toEqual(['failed', null, 1, 409]);
    expect((await site.request('GET', '/with')).status).toBe(404);
    expect((await read(path)).title).toBe('By others');
    const [mail] = await sink.arrived('maker@example.org');
    expect([mail?.subject, mail?.text.includes(problem.message.slice(0, 20))]).toEqual([
      'A release was not published: Summer',
      true,
    ]);
    const log = (await read('/@audit-log?b_size=10')).items;
    expect(log.map(({ action }: Json) => action)).toContain('release.failed');
    // It can be mended and published.
    const done = await site.request('POST', `${at}/publish`, { json: { on_conflict: 'mine' } });
    expect([done.status, (await read(path)).title]).toEqual([200, 'After']);
  });

  it('has the rights that its user has at that time', async () => {
    const path = await page();
    const leaving = await addPerson(site, { id: 'leaving', roles: ['Member', 'Editor', 'Reviewer', 'Contributor'] });
    const at = await release([edit(path)]);
    expect((await schedule(at, { at: inMs(3_600_000) }, leaving)).status).toBe(200);
    await site.request('PATCH', '/@users/leaving', { json: { roles: { Reviewer: false } } });
    await miss(at);
    await publishDue(site.kernel);
    expect((await ended(at)).problem).toMatchObject({ part: null, status: 403 });
    expect((await read(path)).title).toBe('Before');
  });
});
