import { expect, it } from 'vitest';
import { addPerson, tokenOf } from '../content/people.ts';
import { describeEachEngine } from '../support/database.ts';
import type { Json, Who } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';

describeEachEngine('vocabularies as the forms of Volto read them', (engine) => {
  const site = useTestSite(engine, () => ({ profile: 'plone' }));

  it('A user who may edit by sharing can read every vocabulary of the form there.', async () => {
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

  it('Everybody who is logged in reads the names of users and groups at the root, and nobody else.', async () => {
    const person = { username: 'mia', email: 'mia@secret.example', password: 'correct horse battery' };
    expect((await site.request('POST', '/@users', { json: person })).status).toBe(201);
    const as = await tokenOf(site, 'mia');
    for (const name of ['Users', 'Groups', 'Principals']) {
      const address = `/@vocabularies/plone.app.vocabularies.${name}?b_size=-1`;
      const { status, body, text } = await site.request('GET', address, { as });
      expect(status, address).toBe(200);
      expect(body.items.length).toBeGreaterThan(0);
      expect(text).not.toContain('@secret.example');
      expect((await site.request('GET', address, { as: 'anonymous' })).status, address).toBe(401);
    }
    const byAddress = '/@vocabularies/plone.app.vocabularies.Users?title=secret.example';
    expect((await site.request('GET', byAddress, { as })).body.items).toEqual([]);
    const criteria = (who: Who) => site.request('GET', '/@querystring', { as: who });
    expect((await criteria(as)).body.indexes.Creator.values).toHaveProperty('mia');
    expect((await criteria('anonymous')).body.indexes.Creator.values).toEqual({});
  });

  it('The kinds of fields have each title once.', async () => {
    const { items } = (await site.request('GET', '/@vocabularies/Fields?b_size=-1')).body;
    const titles = items.map(({ title }: Json) => title);
    expect(titles).toEqual([...new Set(titles)]);
    expect(items.find(({ title }: Json) => title === 'Email')).toEqual({ title: 'Email', token: 'Email' });
  });
});
