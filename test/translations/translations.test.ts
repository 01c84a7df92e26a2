import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { binOf } from '../recyclebin/recyclebin-site.ts';
import { describeEachEngine } from '../support/database.ts';
import { PAGE } from '../support/profiles.ts';
import { type Json, startTestSite, type TestSite, type Who } from '../support/site.ts';

describeEachEngine('translations', (engine) => {
  let site: TestSite;
  let en: Json;
  let nl: Json;
  beforeAll(async () => {
    site = await startTestSite(engine);
    en = await add('/', 'Folder', { language: 'en' });
    nl = await add('/', 'Folder', { language: 'nl' });
  });
  afterAll(() => site.close());
  const { add, user, remove, restore, read, rows, request } = binOf(() => site);

  const page = (language: string, json: Json = {}, as: Who = 'admin') =>
    add(language === 'nl' ? nl.path : en.path, PAGE, { language, ...json }, as);
  const link = (from: Json, id: unknown, as: Who = 'admin') =>
    request('POST', `${from.path}/@translations`, { as, json: { id } });
  const unlink = (from: Json, language: unknown, as: Who = 'admin') =>
    request('DELETE', `${from.path}/@translations`, { as, json: { language } });
  /** Language and path of the translations that a user sees. */
  const shown = async ({ path }: Json, as: Who = 'admin') => {
    const { body } = await request('GET', `${path}/@translations`, { as });
    return Object.fromEntries(body.items.map((item: Json) => [item.language, new URL(item['@id']).pathname]));
  };
  const publish = (made: Json) => request('POST', `${made.path}/@workflow/publish`, { json: {} });
  const doubles = () =>
    rows(
      `select 1 from content where translation_group is not null group by translation_group, language having count(*) > 1`,
    );

  it('linking by path, address or UID shows the translation to all members of the group and changes no date', async () => {
    const [one, two, three, four] = [await page('en'), await page('nl'), await page('sv'), await page('de')];
    for (const [other, id] of [
      [two, two.path],
      [three, three['@id']],
      [four, four.UID],
    ])
      expect((await link(one, id)).status, other.path).toBe(204);
    expect(await shown(three)).toEqual({ de: four.path, en: one.path, nl: two.path });
    expect(await shown(one)).toEqual({ de: four.path, nl: two.path, sv: three.path });
    expect((await read(two.path)).modified).toBe(two.modified);
  });

  it('linking rejects content that is missing, in the same language, linked elsewhere or not translatable, and changes nothing', async () => {
    const [one, two, three] = [await page('en'), await page('nl'), await page('nl')];
    const other = await page('en');
    expect((await link(one, two.UID)).status).toBe(204);
    const refusals: [Json, unknown, RegExp][] = [
      [one, undefined, /id/],
      [one, 5, /id/],
      [one, '', /id/],
      [one, '/no/such', /no content/],
      [one, 'not-a-uid', /no content/],
      [one, '\u0000', /U\+0000|no content/],
      [one, one.UID, /Both are in "en"/],
      [one, other.UID, /Both are in "en"/],
      [one, three.UID, /in "nl" already/],
      [one, two.UID, /in "nl" already/],
      [other, two.UID, /has translations already/],
      [one, '/', /cannot have translations/],
    ];
    for (const [from, id, message] of refusals) {
      const { status, body } = await link(from, id);
      expect([String(id), status]).toEqual([String(id), 400]);
      expect(body.message).toMatch(message);
    }
    expect((await link({ path: '' }, one.UID)).status).toBe(400);
    expect(await shown(one)).toEqual({ nl: two.path });
    expect([await shown(three), await shown(other)]).toEqual([{}, {}]);
  });

  it('unlinking a translation removes it on both sides and keeps the other translations linked', async () => {
    const [one, two, three] = [await page('en'), await page('nl'), await page('sv')];
    await link(one, two.UID);
    await link(one, three.UID);
    for (const language of [undefined, 5, 'de', '']) expect((await unlink(one, language)).status).toBe(400);
    expect((await unlink(one, 'nl')).status).toBe(204);
    expect(await shown(two)).toEqual({});
    expect(await shown(one)).toEqual({ sv: three.path });
    expect((await unlink(one, 'en')).status, 'the object itself').toBe(204);
    expect([await shown(one), await shown(three)]).toEqual([{}, {}]);
    expect((await unlink(three, 'sv')).status, 'nothing is left to leave').toBe(400);
    expect((await link(two, three.UID)).status).toBe(204);
  });

  it('linking needs permission to modify the content and to manage translations on both sides', async () => {
    const [mine, theirs, hidden] = [await page('en'), await page('nl'), await page('nl')];
    const visitor = await user();
    const editor = await user(mine.path);
    await publish(mine);
    await publish(theirs);
    for (const [as, status] of [
      ['anonymous', 401],
      [visitor, 403],
      [editor, 403],
    ] as const)
      expect((await link(mine, theirs.UID, as)).status).toBe(status);
    expect((await link(mine, hidden.UID, editor)).body.message, 'as of content that is not there').toMatch(
      /no content/,
    );
    await link(mine, theirs.UID);
    for (const [as, status] of [
      ['anonymous', 401],
      [visitor, 403],
      [editor, 403],
    ] as const)
      expect((await unlink(mine, 'nl', as)).status).toBe(status);
    expect(await shown(mine, 'anonymous')).toEqual({ nl: theirs.path });
    await unlink(mine, 'nl');
    await link(mine, hidden.UID);
    expect(await shown(mine, editor)).toEqual({});
    expect((await unlink(mine, 'nl', editor)).body.message).toBe(
      (await unlink(mine, 'de', editor)).body.message.replace('"de"', '"nl"'),
    );
    expect(await shown(mine)).toEqual({ nl: hidden.path });
  });

  it('locked content and working copies cannot be linked as translations', async () => {
    const [one, two] = [await page('en'), await page('nl')];
    const { body } = await request('POST', `${two.path}/@lock`);
    expect((await link(one, two.UID)).status).toBe(403);
    const token = { 'Lock-Token': body.token };
    const response = await request('POST', `${two.path}/@translations`, { json: { id: one.UID }, headers: token });
    expect(response.status).toBe(204);
    const three = await page('de');
    const copy = await request('POST', `${three.path}/@workingcopy`);
    const { message } = (await link(one, new URL(copy.body['@id']).pathname)).body;
    expect(message).toMatch(/working copy/);
  });

  describe('made by a POST', () => {
    it('content created with translation_of is linked to the original, named by path, address or UID', async () => {
      const one = await page('en');
      const two = await page('nl', { translation_of: one.UID });
      const three = await page('de', { translation_of: two['@id'] });
      await page('sv', { translation_of: one.path });
      expect(await shown(three)).toMatchObject({ en: one.path, nl: two.path });
      expect(two.language).toEqual({ token: 'nl', title: 'Nederlands' });
      expect(Object.keys(await shown(two))).toEqual(['de', 'en', 'sv']);
    });

    it('content with a translation_of that cannot be linked is not created', async () => {
      const one = await page('en');
      await page('nl', { translation_of: one.UID });
      const before = (await read(nl.path)).items_total;
      for (const [translation_of, language] of [
        [one.UID, 'nl'],
        [one.UID, 'en'],
        ['/no/such', 'de'],
        [5, 'de'],
        [{}, 'de'],
        ['/', 'de'],
      ]) {
        const json = { '@type': PAGE, title: 'Refused', language, translation_of };
        const { status, body } = await request('POST', nl.path, { json });
        expect([translation_of, status]).toEqual([translation_of, 400]);
        expect(body.message.length).toBeGreaterThan(10);
      }
      expect((await read(nl.path)).items_total).toBe(before);
      expect((await page('de', { translation_of: null })).language.token, 'no original').toBe('de');
    });

    it('creating a translation needs the permission to manage translations of the original', async () => {
      const one = await page('en');
      await publish(one);
      const translator = await user(nl.path);
      const json = { '@type': PAGE, title: 'Mine', language: 'nl', translation_of: one.UID };
      expect((await request('POST', nl.path, { json, as: translator })).status).toBe(403);
      const hidden = await page('en');
      const response = await request('POST', nl.path, {
        json: { ...json, translation_of: hidden.UID },
        as: translator,
      });
      expect([response.status, response.body.message]).toEqual([400, expect.stringContaining('translation_of')]);
      const both = await user(en.path);
      await request('POST', `${nl.path}/@sharing`, {
        json: { entries: [{ id: (both as { login: string }).login, type: 'user', roles: { Contributor: true } }] },
      });
      expect((await request('POST', nl.path, { json, as: both })).status).toBe(201);
      expect(Object.keys(await shown(one))).toEqual(['nl']);
    });
  });

  it('concurrent requests link at most one translation for each language', async () => {
    const [one, two] = [await page('en'), await page('sv')];
    await link(one, two.UID);
    const others = await Promise.all([1, 2, 3].map(() => page('nl')));
    const json = { '@type': PAGE, title: 'Race', language: 'nl' };
    const responses = await Promise.all([
      ...others.map((other, i) => link(i % 2 ? one : two, other.UID)),
      ...others.map((other, i) => link(other, i % 2 ? two.UID : one.UID)),
      ...[one, two, one].map(({ UID }) => request('POST', nl.path, { json: { ...json, translation_of: UID } })),
    ]);
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses.filter((status) => status < 300)).toHaveLength(1);
    expect(statuses.filter((status) => status >= 300 && ![400, 409].includes(status))).toEqual([]);
    expect(await doubles()).toEqual([]);
    expect(Object.keys(await shown(one))).toEqual(['nl', 'sv']);
  });

  it('a translation cannot be changed to the language of another one', async () => {
    const one = await page('en');
    const two = await page('nl', { translation_of: one.UID });
    const { status, body } = await request('PATCH', two.path, { json: { language: 'en' } });
    expect([status, body.errors[0].field]).toEqual([400, 'language']);
    expect((await request('PATCH', two.path, { json: { language: 'de', title: 'Auf Deutsch' } })).status).toBe(204);
    expect(await shown(one)).toEqual({ de: two.path });
  });

  it('a copy has no translations', async () => {
    const one = await page('en');
    const two = await page('nl', { translation_of: one.UID });
    const { body } = await request('POST', `${en.path}/@copy`, { json: { source: one.path } });
    expect(await shown({ path: new URL(body[0].target).pathname })).toEqual({});
    expect(await shown(two)).toEqual({ en: one.path });
  });

  it('deleted content leaves its translations and is linked again when restored, if its language is still free', async () => {
    const one = await page('en');
    const two = await page('nl', { translation_of: one.UID });
    const deleted = await remove(two);
    expect(await shown(one)).toEqual({});
    expect((await restore(deleted)).status).toBe(200);
    expect(await shown(one)).toEqual({ nl: two.path });
    const again = await remove(two);
    const three = await page('nl', { translation_of: one.UID });
    expect((await restore(again)).status).toBe(200);
    expect(await shown(one)).toEqual({ nl: three.path });
    expect(await shown(two)).toEqual({});
  });

  it('restoring content while a new translation is linked keeps one translation for each language', async () => {
    const one = await page('en');
    const deleted = [];
    for (let i = 0; i < 2; i += 1) deleted.push(await remove(await page('nl', { translation_of: one.UID })));
    const responses = await Promise.all(deleted.map((entry) => restore(entry)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(await doubles()).toEqual([]);
    expect(Object.keys(await shown(one))).toEqual(['nl']);
  });

  it('content without a language leaves its translations', async () => {
    const one = await page('en');
    const two = await page('nl', { translation_of: one.UID });
    expect((await request('PATCH', two.path, { json: { language: null } })).status).toBe(204);
    expect([await shown(one), await shown(two)]).toEqual([{}, {}]);
    expect((await link(one, two.UID)).body.message).toContain('has no language');
    expect((await page('nl', { translation_of: one.UID })).language.token).toBe('nl');
  });
});
