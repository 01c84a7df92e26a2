import { expect, it } from 'vitest';
import { addPerson } from '../content/people.ts';
import { describeEachEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';

describeEachEngine('vocabularies as the forms of Volto read them', (engine) => {
  const site = useTestSite(engine, () => ({ profile: 'plone' }));

  it('An editor by sharing can read every vocabulary of the form where she edits.', async () => {
    expect((await site.request('POST', '/', { json: { '@type': 'Document', id: 'box', title: 'Box' } })).status).toBe(
      201,
    );
    const as = await addPerson(site, { id: 'ed' });
    const entries = [{ id: 'ed', type: 'user', roles: { Editor: true, Contributor: true } }];
    expect((await site.request('POST', '/box/@sharing', { json: { entries } })).status).toBe(204);
    const { body } = await site.request('GET', '/box/@types/Document', { as });
    const addresses = [...JSON.stringify(body).matchAll(/"@id":"([^"]+\/@vocabularies\/[^"]+)"/g)].map(
      ([, url]) => url ?? '',
    );
    expect(addresses.length).toBeGreaterThan(2);
    for (const address of new Set(addresses)) {
      expect(address).toContain(`${site.url}/box/@vocabularies/`);
      expect((await site.request('GET', `${address}?b_size=-1`, { as })).status, address).toBe(200);
    }
    expect((await site.request('GET', '/@types/Document')).text).toContain(`"${site.url}/@vocabularies/`);
  });

  it('The kinds of fields have each title once.', async () => {
    const { items } = (await site.request('GET', '/@vocabularies/Fields?b_size=-1')).body;
    const titles = items.map(({ title }: Json) => title);
    expect(titles).toEqual([...new Set(titles)]);
    expect(items.find(({ title }: Json) => title === 'Email')).toEqual({ title: 'Email', token: 'Email' });
  });
});
