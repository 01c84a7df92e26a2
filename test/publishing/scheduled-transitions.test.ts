import { beforeAll, describe, expect, it } from 'vitest';
import { make } from '../content/make.ts';
import { addPerson } from '../content/people.ts';
import { describeEachEngine } from '../support/database.ts';
import { makeDueTransitions } from '../support/make-due-transitions.ts';
import type { Json, Who } from '../support/site.ts';
import { useMailingSite } from '../support/use-site.ts';

/** Far enough for the requests before it. */
const SOON_MS = 5000;
const inMs = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();

describeEachEngine('scheduled transitions', (engine) => {
  const { site, sink } = useMailingSite(engine);
  let editor: Who;
  let made = 0;
  const page = async (json: Json = {}, options: Parameters<typeof make>[3] = {}) =>
    make(site.kernel, '/', { id: `page${++made}`, ...json }, options);
  const schedule = (path: string, json: Json, as: Who = editor) =>
    site.request('POST', `${path}/@scheduled-transitions`, { as, json });
  const list = async (path: string): Promise<Json[]> =>
    (await site.request('GET', `${path}/@scheduled-transitions`)).body.items;
  const state = async (path: string) => (await site.request('GET', path)).body.review_state;
  const history = async (path: string): Promise<Json[]> =>
    (await site.request('GET', `${path}/@workflow`)).body.history.filter(({ action }: Json) => action !== null);
  /** Puts what waits for a path into the past, as if no server had run at its time. */
  const miss = (path: string) =>
    site.kernel.db.query({
      text: `update scheduled_transition s set at = at - interval '2 days', due = due - interval '2 days'
        from content c where c.oid = s.content and c.path = $1`,
      values: [path],
    });
  const over = async (path: string) => {
    await expect
      .poll(async () => (await list(path)).filter(({ status }) => status === 'waiting').length, { timeout: 15_000 })
      .toBe(0);
    return list(path);
  };

  beforeAll(async () => {
    editor = await addPerson(site, { id: 'ed', roles: ['Member', 'Editor', 'Reviewer'] });
  });

  it('are made at their time, in the name and with the comment of who asked, and stay in the list', async () => {
    const path = await page();
    const at = inMs(SOON_MS);
    const { status, body, headers } = await schedule(path, { transition: 'publish', at, comment: 'As agreed' });
    expect([status, headers.get('Location')]).toEqual([201, body['@id']]);
    expect(body).toMatchObject({ status: 'waiting', title: 'Publish', actor: 'ed', at, finished: null, reason: null });
    expect(await state(path)).toBe('private');
    const [done] = await over(path);
    expect(done).toMatchObject({ id: body.id, status: 'done', reason: null });
    expect(Date.parse(done.finished)).toBeGreaterThanOrEqual(Date.parse(at));
    expect(await state(path)).toBe('published');
    expect(await history(path)).toMatchObject([{ action: 'publish', actor: 'ed', comments: 'As agreed' }]);
  });

  it('are read one by one by those who may see the list', async () => {
    const path = await page();
    const { body } = await schedule(path, { transition: 'publish', at: inMs(3_600_000) });
    const one = await site.request('GET', body['@id'], { as: editor });
    expect([one.status, one.body]).toEqual([200, body]);
    expect((await site.request('GET', `${path}/@scheduled-transitions/none`)).status).toBe(404);
    const elsewhere = `${await page()}/@scheduled-transitions/${body.id}`;
    expect((await site.request('GET', elsewhere)).status).toBe(404);
    expect((await site.request('GET', body['@id'], { as: 'anonymous' })).status).toBe(401);
  });

  it('take times with any offset and answer in UTC', async () => {
    const path = await page();
    const { body } = await schedule(path, { transition: 'publish', at: '2050-06-01T10:00:00+02:00' });
    expect(body.at).toBe('2050-06-01T08:00:00.000Z');
    expect((await site.request('DELETE', body['@id'], { as: editor })).status).toBe(204);
    expect(await list(path)).toEqual([]);
    expect((await site.request('DELETE', body['@id'], { as: editor })).status).toBe(404);
  });

  it('are made once by many workers, those that were missed as well, in the order of their times', async () => {
    const path = await page();
    await schedule(path, { transition: 'retract', at: inMs(7_200_000), comment: 'Second' });
    await schedule(path, { transition: 'publish', at: inMs(3_600_000), comment: 'First' });
    await miss(path);
    await Promise.all(Array.from({ length: 4 }, () => makeDueTransitions(site.kernel)));
    const items = await over(path);
    expect(items.map(({ status }) => status)).toEqual(['done', 'done']);
    expect((await history(path)).map(({ comments }) => comments)).toEqual(['First', 'Second']);
    expect(await state(path)).toBe('private');
  });

  it('are made with everything below where that is asked for', async () => {
    const folder = await page({ '@type': 'Folder' });
    const inside = await make(site.kernel, folder, { id: 'inside' });
    await schedule(folder, { transition: 'publish', at: inMs(3_600_000), include_children: true });
    await miss(folder);
    await makeDueTransitions(site.kernel);
    // The site's own worker may be the one that makes it.
    await over(folder);
    expect([await state(folder), await state(inside)]).toEqual(['published', 'published']);
  });

  describe('are refused with the reason, and change nothing,', () => {
    const refused = async (path: string, stays = 'private') => {
      await miss(path);
      await makeDueTransitions(site.kernel);
      const [item] = await over(path);
      expect(item.status).toBe('refused');
      expect(await state(path)).toBe(stays);
      return item;
    };
    const asked = async (id: string) => {
      const who = await addPerson(site, { id, roles: ['Member', 'Editor', 'Reviewer'] });
      const path = await page();
      expect((await schedule(path, { transition: 'publish', at: inMs(3_600_000) }, who)).status).toBe(201);
      return path;
    };

    it('when their author may no longer make them', async () => {
      const path = await asked('demoted');
      await site.request('PATCH', '/@users/demoted', {
        json: { roles: { Editor: false, Reviewer: false, Member: true } },
      });
      expect((await refused(path)).reason).toMatch(/not authorized/);
    });

    it('and their authors get mails, without the content where the author may not view it', async () => {
      await site.request('PATCH', '/@controlpanels/site', { json: { frontend_domain: 'https://www.example.org' } });
      for (const [id, roles] of [
        ['ann', { Editor: true, Reviewer: false }],
        ['bob', { Editor: false, Reviewer: false }],
      ] as const) {
        const path = await asked(id);
        const json = { email: `${id}@example.org`, fullname: 'Ann', roles: { ...roles, Member: true } };
        expect((await site.request('PATCH', `/@users/${id}`, { json })).status).toBe(204);
        await refused(path);
        const [mail] = await sink.arrived(`${id}@example.org`);
        expect(mail?.subject).toContain('A scheduled transition was refused');
        expect(mail?.text).toContain('It was not made, for this reason: ');
        expect(mail?.text.includes(`https://www.example.org${path}`), id).toBe(id === 'ann');
      }
    });

    it('when their author is disabled or gone', async () => {
      const disabled = await asked('sleeper');
      await site.request('PATCH', '/@users/sleeper', { json: { disabled: true } });
      expect((await refused(disabled)).reason).toBe('The user who asked for it is gone or disabled.');
      const gone = await asked('leaver');
      expect((await site.request('DELETE', '/@users/leaver')).status).toBe(204);
      expect(await refused(gone)).toMatchObject({
        actor: null,
        reason: 'The user who asked for it is gone or disabled.',
      });
    });

    it('when the workflow has no such transition from the state of then', async () => {
      const path = await page();
      await schedule(path, { transition: 'submit', at: inMs(3_600_000) });
      await site.request('POST', `${path}/@workflow/publish`, { json: {} });
      expect((await refused(path, 'published')).reason).toMatch(/^Invalid transition 'submit'/);
    });

    it('when the content was in the recycle bin at that time', async () => {
      const path = await page();
      await schedule(path, { transition: 'publish', at: inMs(3_600_000) });
      expect((await site.request('DELETE', path)).status).toBe(204);
      await site.kernel.db.query({
        text: `update recycled_row set data = data || '{"at": "2020-01-01T00:00:00Z", "due": "2020-01-01T00:00:00Z"}'
          where source = 'scheduled_transition'`,
      });
      const [item] = (await site.request('GET', '/@recyclebin')).body.items;
      expect((await site.request('POST', `/@recyclebin/${item.recycle_id}/restore`, { json: {} })).status).toBeLessThan(
        300,
      );
      const [back] = await over(path);
      expect(back).toMatchObject({ status: 'refused', reason: 'The content was in the recycle bin at that time.' });
      expect(await state(path)).toBe('private');
    });
  });

  it('stay with content that is moved, are made on locked content, and are not copied', async () => {
    const path = await page();
    await schedule(path, { transition: 'publish', at: inMs(3_600_000) });
    await make(site.kernel, '/', { '@type': 'Folder', id: `place${made}` });
    const into = async (how: string): Promise<string> => {
      const { body } = await site.request('POST', `/place${made}/${how}`, { json: { source: path } });
      return body[0].target.slice(site.url.length);
    };
    const [copy, moved] = [await into('@copy'), await into('@move')];
    expect(await list(copy)).toEqual([]);
    await site.request('POST', `${moved}/@lock`, { json: {} });
    await miss(moved);
    await makeDueTransitions(site.kernel);
    await over(moved);
    expect([await state(moved), await state(copy)]).toEqual(['published', 'private']);
  });

  it('are asked for only by those who may change or review, for the future, and for existing transitions', async () => {
    const path = await page({}, { state: 'published' });
    const at = inMs(3_600_000);
    const member = await addPerson(site, { id: 'reader' });
    expect((await schedule(path, { transition: 'retract', at }, member)).status).toBe(403);
    expect((await schedule(path, { transition: 'retract', at }, 'anonymous')).status).toBe(401);
    expect((await site.request('GET', `${path}/@scheduled-transitions`, { as: member })).status).toBe(403);
    const wrong = await schedule(path, { transition: 'fly', at: '2001-01-01' });
    expect([wrong.status, wrong.body.errors.map(({ field }: Json) => field)]).toEqual([400, ['transition', 'at']]);
    for (let n = 0; n < 20; n += 1) expect((await schedule(path, { transition: 'retract', at })).status).toBe(201);
    const more = await schedule(path, { transition: 'retract', at });
    expect([more.status, more.text]).toEqual([400, expect.stringContaining('20 transitions')]);
  });
});
