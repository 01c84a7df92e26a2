import { afterAll, beforeAll, expect, it } from 'vitest';
import { make } from '../content/make.ts';
import { describeEachEngine } from '../support/database.ts';
import { startTestSite, type TestSite } from '../support/site.ts';
import { addCallers, type Caller } from './matrix/callers.ts';
import type { CallerName } from './matrix/row.ts';

// biome-ignore format: a table
/** The children of a public folder in each caller's list, in order. The owner owns the last one. */
const LISTED: Record<CallerName, string> = {
  Anonymous:            'published',
  Member:               'published',
  Reader:               'private pending published owned',
  Editor:               'private pending published future expired owned',
  Contributor:          'private pending published future expired owned',
  Reviewer:             'pending published',
  Owner:                'published owned',
  'Site Administrator': 'private pending published future expired owned',
  Manager:              'private pending published future expired owned',
};

describeEachEngine('permissions in lists', (engine) => {
  let site: TestSite;
  let callers: Caller[];

  beforeAll(async () => {
    site = await startTestSite(engine);
    callers = await addCallers(site);
  });
  afterAll(() => site?.close());

  it('lists show, count and page by what the caller may view', async () => {
    const folder = await make(site.kernel, '/', { '@type': 'Folder', id: 'folder' }, { state: 'published' });
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    const yesterday = new Date(Date.now() - 86_400_000).toISOString();
    await make(site.kernel, folder, { id: 'private' });
    await make(site.kernel, folder, { id: 'pending' }, { state: 'pending' });
    await make(site.kernel, folder, { id: 'published' }, { state: 'published' });
    await make(site.kernel, folder, { id: 'future', effective: tomorrow }, { state: 'published' });
    await make(
      site.kernel,
      folder,
      { id: 'expired', effective: '2001-01-01', expires: yesterday },
      { state: 'published' },
    );
    await make(site.kernel, folder, { id: 'owned' }, { owner: 'owner' });
    for (const { name, as } of callers) {
      const expected = LISTED[name].split(' ');
      const whole = await site.request('GET', folder, { as });
      expect(
        whole.body.items.map(({ id }: { id: string }) => id),
        name,
      ).toEqual(expected);
      expect(whole.body.items_total, name).toBe(expected.length);
      for (const id of LISTED.Manager.split(' '))
        if (!expected.includes(id)) expect(whole.text, name).not.toContain(`/folder/${id}`);
      const paged: string[] = [];
      for (let start = 0; start < expected.length + 2; start += 1) {
        const { body } = await site.request('GET', `${folder}?b_size=1&b_start=${start}`, { as });
        expect(body.items_total, name).toBe(expected.length);
        paged.push(...body.items.map(({ id }: { id: string }) => id));
      }
      expect(paged, name).toEqual(expected);
    }
  });

  it('content below a private container is as visible as its own state says, and the container stays hidden', async () => {
    const path = await make(site.kernel, '/', { id: 'closed', title: 'Secret title', description: 'Secret text' });
    await make(site.kernel, path, { id: 'open' }, { state: 'published' });
    const { status, text } = await site.request('GET', `${path}/open`, { as: 'anonymous' });
    expect(status).toBe(200);
    expect(text).not.toContain('Secret');
    expect((await site.request('GET', path, { as: 'anonymous' })).status).toBe(401);
  });
});
