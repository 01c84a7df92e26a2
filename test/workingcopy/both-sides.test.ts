import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { startWorkingCopySite, type WorkingCopySite } from './working-copy-site.ts';

describeEachEngine('working copies: the sides of a check-out', (engine) => {
  let site: WorkingCopySite;
  beforeAll(async () => {
    site = await startWorkingCopySite(engine);
  });
  afterAll(() => site?.close());

  it('both sides of a check-out name each other to callers who may modify or check out', async () => {
    const path = await site.page('/', 'named', { title: 'Title' });
    await site.publish(path);
    const copy = await site.checkOut(path);
    const working_copy = {
      '@id': site.url + copy,
      title: 'Title',
      created: expect.stringMatching(/^\d{4}-.*Z$/),
      creator_name: 'Administrator',
      creator_url: `${site.url}/author/admin`,
    };
    const of = { '@id': site.url + path, title: 'Title' };
    for (const [at, working_copy_of] of [
      [path, null],
      [copy, of],
    ] as const) {
      expect((await site.working('GET', at)).body).toEqual({ working_copy, working_copy_of });
      expect(await site.read(at)).toMatchObject({ working_copy, working_copy_of });
    }
    const nothing = { working_copy: null, working_copy_of: null };
    expect((await site.working('GET', path, 'anonymous')).body).toEqual(nothing);
    expect((await site.request('GET', path, { as: 'anonymous' })).body).toMatchObject(nothing);
  });

  it('the actions of both sides offer what is possible with them', async () => {
    const ids = async (path: string) =>
      ((await site.request('GET', `${path}/@actions`)).body.object_buttons as Json[])
        .map(({ id }) => id)
        .filter((id) => id.startsWith('iterate'));
    const path = await site.page('/', 'offers');
    expect(await ids(path)).toEqual(['iterate_checkout']);
    const copy = await site.checkOut(path);
    expect(await ids(path)).toEqual([]);
    expect(await ids(copy)).toEqual(['iterate_checkin', 'iterate_checkout_cancel']);
    expect(await ids('')).toEqual([]);
  });

  it('copies of both sides of a check-out are ordinary content', async () => {
    const path = await site.page('/', 'copied');
    const copy = await site.checkOut(path);
    for (const source of [path, copy]) {
      const { body } = await site.copy('/', source);
      await site.expectFree(body[0].target.slice(site.url.length));
    }
  });
});
