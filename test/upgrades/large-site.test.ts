import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';
import { copyProfile, type ProfileCopy } from './profile-copy.ts';

/** More objects than one statement updates. */
const PAGES = 5050;

describeEachEngine('an upgrade that changes who may view the content of a large site', (engine) => {
  let profile: ProfileCopy;
  beforeAll(async () => {
    profile = await copyProfile();
    // The objects have a separate workflow, so that the site itself stays public.
    const workflow = await profile.read('workflows/simple_publication_workflow.json');
    await profile.write('workflows/page_workflow.json', { ...workflow, id: 'page_workflow' });
    await profile.edit('types/Page.json', (data) => Object.assign(data, { workflow: 'page_workflow' }));
  });
  afterAll(() => profile?.close());
  const site = useTestSite(engine, () => ({ profile: 'village', profiles: profile.profiles }));

  const listed = async (): Promise<number> =>
    (await site.request('GET', '/@search?portal_type=Page&b_size=0', { as: 'anonymous' })).body.items_total;
  const upgrade = async (roles: readonly string[], version: string): Promise<Json> => {
    await profile.edit('workflows/page_workflow.json', (data) => {
      data.states.published.permissions.View.roles = roles;
    });
    await profile.release(version);
    const { status, body } = await site.request('POST', '/@upgrade', { json: {} });
    expect([status, body.message]).toEqual([200, undefined]);
    return body.report;
  };
  const view = async (path: string): Promise<number> => (await site.request('GET', path, { as: 'anonymous' })).status;

  it('on a large site an upgrade decides at once who may view content, at its address and in lists', async () => {
    const { body: page } = await site.request('POST', '/', { json: { '@type': 'Page', id: 'page', title: 'Page' } });
    await site.request('POST', '/page/@workflow/publish');
    expect([page.id, await listed(), await view('/page')]).toEqual(['page', 1, 200]);
    expect(await upgrade(['Manager'], '1001')).toMatch(/A job brings content up to date: \d+ objects of all types\./);
    expect([await listed(), await view('/page')]).toEqual([0, 401]);
    await upgrade(['Anonymous', 'Manager'], '1002');
    expect([await listed(), await view('/page')]).toEqual([1, 200]);

    await site.kernel.db.transaction(async (tx) => {
      await tx.query({
        text: `insert into content overriding system value select r.* from content c cross join generate_series(1, $1::int) n
          cross join lateral jsonb_populate_record(c, jsonb_build_object(
            'oid', 1000000 + n, 'uid', 'page-' || n, 'name', 'page-' || n, 'path', '/page-' || n, 'position', n)) r
          where c.path = '/page'`,
        values: [PAGES],
      });
      await tx.query({
        text: `insert into catalog select r.* from content c join catalog k using (oid) cross join generate_series(1, $1::int) n
          cross join lateral jsonb_populate_record(k, jsonb_build_object('oid', 1000000 + n)) r where c.path = '/page'`,
        values: [PAGES],
      });
    });
    expect(await listed()).toBe(PAGES + 1);
    await upgrade(['Manager'], '1003');
    expect([await listed(), await view('/page-7')]).toEqual([0, 401]);
    await upgrade(['Anonymous', 'Manager'], '1004');
    expect([await listed(), await view('/page-7')]).toEqual([PAGES + 1, 200]);
  }, 240_000);
});
