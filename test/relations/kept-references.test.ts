import { afterAll, beforeAll, expect, it } from 'vitest';
import { make } from '../content/make.ts';
import { tokenOf } from '../content/people.ts';
import { describeQuickestEngine } from '../support/database.ts';
import { startTestSite, type TestSite, type Who } from '../support/site.ts';

describeQuickestEngine('references of a changed object', (engine) => {
  let site: TestSite;
  let admin: Who;

  beforeAll(async () => {
    site = await startTestSite(engine);
    admin = await tokenOf(site, 'admin');
    for (const id of ['one', 'two', 'page']) await make(site.kernel, '/', { id });
  });
  afterAll(() => site?.close());

  /** The stored references of the page: where each leads, and the transaction that has written its row. */
  const stored = () =>
    site.kernel.db.query<{ relation: string; path: string; written: string }>({
      text: `select r.relation, t.path, r.xmin::text as written from reference r join content s on s.oid = r.source
        join content t on t.uid = r.target where s.path = '/page' order by r.position`,
    });

  const leadingTo = async () => (await stored()).map(({ path }) => path);

  async function change(json: Record<string, unknown>): Promise<void> {
    const { status, text } = await site.request('PATCH', '/page', { as: admin, json });
    expect(status, text).toBe(204);
  }

  const linkTo = (path: string, text = 'a link') => ({
    blocks: { a: { '@type': 'teaser', title: text, href: [{ '@id': path }] } },
    blocks_layout: { items: ['a'] },
  });

  it('stay as they are stored where they are the same, and are written where they are not', async () => {
    await change({ relatedItems: ['/one'], ...linkTo('/two') });
    expect(await leadingTo()).toEqual(['/one', '/two']);
    const before = await stored();
    await change({ title: 'Another title' });
    await change(linkTo('/two', 'another text'));
    expect(await stored()).toEqual(before);
    await change({ relatedItems: ['/two', '/one'] });
    expect(await leadingTo()).toEqual(['/two', '/one', '/two']);
    await change(linkTo('/one'));
    expect(await leadingTo()).toEqual(['/two', '/one', '/one']);
    await change({ relatedItems: [], title: 'Third' });
    expect(await leadingTo()).toEqual(['/one']);
    await change({ blocks: {}, blocks_layout: { items: [] } });
    expect(await leadingTo()).toEqual([]);
  });
});
