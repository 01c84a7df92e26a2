import { expect, test } from 'vitest';
import { addType } from '../content/add-type.ts';
import { make } from '../content/make.ts';
import { addPerson } from '../content/people.ts';
import { describeEachEngine } from '../support/database.ts';
import type { Json, Who } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';

const PLONE = 'plone.app.vocabularies';
const ANONYMOUS = { as: 'anonymous' } as const;

describeEachEngine('vocabularies', (engine) => {
  const site = useTestSite(engine);

  const read = async (address: string, as: Who = 'admin', headers: Record<string, string> = {}): Promise<Json> => {
    const { status, body, text } = await site.request('GET', address, { as, headers });
    expect(status, text).toBe(200);
    return body;
  };
  const tokens = async (address: string, as?: Who): Promise<string[]> =>
    (await read(address, as)).items.map(({ token }: Json) => token);

  test('each listed vocabulary can be read at its address, also in the context of content', async () => {
    const folder = await make(site.kernel, '/', { '@type': 'Folder', id: 'context' });
    for (const where of ['', folder]) {
      const list: Json[] = await read(`${where}/@vocabularies`);
      expect(new Set(list.map(({ title }) => title)).size).toBe(list.length);
      expect(list.length).toBeGreaterThan(30);
      for (const { '@id': address, title } of list) {
        expect(address).toBe(`${site.url}${where}/@vocabularies/${title}`);
        const body = await read(address);
        expect(body['@id'], title).toBe(address);
        expect(body.items_total, title).toBe(body.items.length);
      }
    }
  });

  test('an unknown vocabulary is 404', async () => {
    for (const name of ['nothing', '__proto__', 'constructor', 'types/Page']) {
      const { status, body } = await site.request('GET', `/@vocabularies/${name}`);
      expect([status, body.error], name).toEqual([404, `Not found: /@vocabularies/${name}`]);
    }
  });

  test('a vocabulary that the schema of any type names can be read', async () => {
    const addresses = new Set<string>();
    for (const { '@id': address } of await read('/@types')) {
      const text = JSON.stringify(await read(address));
      for (const [found] of text.matchAll(/http[^"]*\/@vocabularies\/[^"]*/g)) addresses.add(found);
    }
    expect(addresses.size).toBeGreaterThan(3);
    for (const address of addresses) await read(address);
  });

  test('terms are chosen by a part of the title, by token and by tokens, in any case', async () => {
    expect(await tokens('/@vocabularies/types?title=EVEN')).toEqual(['Event']);
    expect(await tokens('/@vocabularies/workflowStates?token=PENDING')).toEqual(['pending']);
    expect(await tokens('/@vocabularies/workflowStates?tokens=published&tokens=private')).toEqual([
      'private',
      'published',
    ]);
    expect(await tokens('/@vocabularies/workflowStates?tokens:list=private')).toEqual(['private']);
    expect(await read('/@vocabularies/types?title=nowhere')).toMatchObject({ items: [], items_total: 0 });
    expect(await tokens('/@vocabularies/types?title=&token=')).toContain('Event');
  });

  test('the address in the response has the filter and not the batch', async () => {
    const body = await read('/@vocabularies/types?title=e&b_size=1&sort_on=title');
    expect(body['@id']).toBe(`${site.url}/@vocabularies/types?title=e`);
  });

  test('terms come in batches that neither overlap nor leave anything out', async () => {
    const all = await tokens('/@vocabularies/Fields?b_size=-1');
    expect(all).toHaveLength(20);
    const seen: string[] = [];
    for (let url: string | undefined = '/@vocabularies/Fields?b_size=8'; url; ) {
      const body = await read(url);
      expect(body.items_total).toBe(20);
      seen.push(...body.items.map(({ token }: Json) => token));
      url = body.batching.next;
    }
    expect(seen).toEqual(all);
    expect(await read('/@vocabularies/Fields?b_start=100')).toMatchObject({ items: [], items_total: 20 });
  });

  test.each([
    'title=a&token=Event',
    'title=a&tokens=Event',
    'token=a&tokens=b',
    'b_size=many',
    'b_start=1.5',
    'sort_on=token',
  ])('the query %s of a vocabulary is rejected with what to do', async (query) => {
    const { status, body } = await site.request('GET', `/@vocabularies/types?${query}`);
    expect(status).toBe(400);
    expect(body.message).toMatch(/title|Not an integer/);
  });

  test('titles of terms are in the language of the reader, and are filtered and sorted in it', async () => {
    const { db } = site.kernel;
    await db.query({
      text: `update configuration set data = data || '{"available_languages": ["en", "de"]}' where kind = 'setting' and id = 'language'`,
    });
    await db.query({ text: `update site_state set value = (value::bigint + 1)::text where name = 'configuration'` });
    const german = { 'Accept-Language': 'de' };
    const { status, body, headers } = await site.request('GET', '/@vocabularies/workflowStates?title=priv', {
      headers: german,
    });
    expect([status, body.items]).toEqual([200, [{ token: 'private', title: 'Privat' }]]);
    expect(headers.get('vary')).toContain('Accept-Language');
    const days = await read(`/@vocabularies/${PLONE}.Weekdays?token=0`, 'admin', german);
    expect(days.items).toEqual([{ token: '0', title: 'Montag' }]);
    expect((await read('/@vocabularies/workflowStates?token=private')).items[0].title).toBe('Private');
  });

  test('languages have their own names; those of the site are the available ones of Nick and the supported ones of Plone', async () => {
    const all = await read('/@vocabularies/supportedLanguages');
    expect(all.items).toEqual(
      expect.arrayContaining([
        { token: 'fr', title: 'Français' },
        { token: 'nl', title: 'Nederlands' },
        { token: 'pt-br', title: 'Português (Brasil)' },
      ]),
    );
    expect(await tokens(`/@vocabularies/${PLONE}.AvailableContentLanguages`)).toEqual(
      all.items.map(({ token }: Json) => token),
    );
    const own = (await read('/@site'))['plone.available_languages'];
    expect((await tokens('/@vocabularies/availableLanguages')).sort()).toEqual([...own].sort());
    expect((await tokens(`/@vocabularies/${PLONE}.SupportedContentLanguages`)).sort()).toEqual([...own].sort());
  });

  test('states of Plone have their ids behind their titles', async () => {
    expect((await read(`/@vocabularies/${PLONE}.WorkflowStates?token=private`)).items).toEqual([
      { token: 'private', title: 'Private [private]' },
    ]);
  });

  test('new types, scales and columns are in their vocabularies with the next request', async () => {
    await addType(site.kernel, {
      id: 'Book',
      properties: { pages: { factory: 'Integer', type: 'integer', column: true } },
    });
    expect(await tokens('/@vocabularies/types')).toContain('Book');
    expect(await tokens(`/@vocabularies/${PLONE}.ReallyUserFriendlyTypes`)).toContain('Book');
    expect(await tokens(`/@vocabularies/${PLONE}.MetadataFields`)).toEqual(
      expect.arrayContaining(['modified', 'pages']),
    );
    const scale = await site.request('PATCH', '/@controlpanels/imaging', { json: { allowed_sizes: ['wide 900:90'] } });
    expect(scale.status).toBe(204);
    expect(await tokens('/@vocabularies/imageScales')).toEqual(['wide']);
  });

  test('the type of the root is never addable', async () => {
    expect(await tokens('/@vocabularies/types')).toContain('Site');
    expect(await tokens('/@vocabularies/plone.app.content.ValidAddableTypes')).not.toContain('Site');
  });

  test('the content types of texts are media types, as in Plone', async () => {
    const allowed = `/@vocabularies/${PLONE}.AllowedContentTypes`;
    const all = ['text/html', 'text/plain'];
    expect([await tokens(`/@vocabularies/${PLONE}.AllowableContentTypes`), await tokens(allowed)]).toEqual([all, all]);
    const panel = '/@controlpanels/markup';
    expect((await site.request('PATCH', panel, { json: { allowed_types: ['text/html'] } })).status).toBe(204);
    expect([await tokens(`/@vocabularies/${PLONE}.AllowableContentTypes`), await tokens(allowed)]).toEqual([
      all,
      ['text/html'],
    ]);
    expect((await site.request('PATCH', panel, { json: { allowed_types: all } })).status).toBe(204);
  });

  test('the vocabulary of tags has those of content that the caller may view now', async () => {
    const { kernel } = site;
    const past = '2001-01-01T00:00:00Z';
    await make(kernel, '/', { id: 'open', subjects: ['Everywhere', 'Open'] }, { state: 'published' });
    await make(kernel, '/', { id: 'closed', subjects: ['Everywhere', 'Secret'] });
    await make(kernel, '/', { id: 'over', subjects: ['Bygone'], expires: past }, { state: 'published' });
    const names = ['subjects', `${PLONE}.Keywords`];
    for (const name of names) {
      const visible = await read(`/@vocabularies/${name}`, 'anonymous');
      expect(visible.items.map(({ title }: Json) => title)).toEqual(['Everywhere', 'Open']);
      expect(visible.items_total).toBe(2);
      expect(await tokens(`/@vocabularies/${name}`)).toEqual(['Bygone', 'Everywhere', 'Open', 'Secret']);
      expect(await read(`/@vocabularies/${name}?title=secr`, 'anonymous')).toMatchObject({ items: [], items_total: 0 });
      expect(await read(`/@vocabularies/${name}?token=Secret`, 'anonymous')).toMatchObject({
        items: [],
        items_total: 0,
      });
    }
    expect(await read(`/@vocabularies/subjects?b_size=1&b_start=1`, 'anonymous')).toMatchObject({
      items: [{ token: 'Open' }],
      items_total: 2,
    });
  });

  test('the vocabulary of content lists by title what the caller may view', async () => {
    const { kernel } = site;
    await make(kernel, '/', { id: 'shown', title: 'Über Zebras 2' }, { state: 'published' });
    await make(kernel, '/', { id: 'hidden', title: 'Zebras of the night' });
    const [uid] = await tokens(`/@vocabularies/${PLONE}.Catalog?title=uber%20ZEBRAS%202`);
    expect((await read('/shown')).UID).toBe(uid);
    const address = `/@vocabularies/${PLONE}.Catalog?title=zebras`;
    expect(await read(address, 'anonymous')).toMatchObject({
      items: [{ token: uid, title: 'Über Zebras 2' }],
      items_total: 1,
    });
    expect((await read(address)).items_total).toBe(2);
    const hidden = (await read('/hidden')).UID;
    expect(await tokens(`/@vocabularies/${PLONE}.Catalog?tokens=${uid}&tokens=${hidden}`, 'anonymous')).toEqual([uid]);
    expect(await read(`/@vocabularies/${PLONE}.Catalog?title=zebras&b_start=9`)).toMatchObject({
      items: [],
      items_total: 2,
    });
  });

  test('users and groups are listed for those who work with content here, by name and without addresses', async () => {
    const { kernel } = site;
    const editor = await addPerson(site, { id: 'vera', roles: ['Member', 'Editor'], groups: ['Crew'] });
    const member = await addPerson(site, { id: 'max' });
    await kernel.db.query({
      text: `update account set fullname = 'Vera Vocabulary', email = 'vera@example.org' where id = 'vera'`,
    });
    for (const name of ['users', 'groups', `${PLONE}.Users`, `${PLONE}.Groups`, `${PLONE}.Principals`]) {
      const refused = await site.request('GET', `/@vocabularies/${name}`, ANONYMOUS);
      expect([refused.status, refused.text.includes('vera')], name).toEqual([401, false]);
      expect((await site.request('GET', `/@vocabularies/${name}`, { as: member })).status, name).toBe(403);
      const text = JSON.stringify(await read(`/@vocabularies/${name}`, editor));
      expect(text).not.toContain('example.org');
    }
    const title = (list: Json[]) => list.map((entry) => entry.title);
    expect(title(await read('/@vocabularies', 'anonymous'))).not.toContain('users');
    expect(title(await read('/@vocabularies', editor))).toContain('users');
    expect((await read('/@vocabularies/users?title=vocab', editor)).items).toEqual([
      { token: 'vera', title: 'Vera Vocabulary' },
    ]);
    expect((await read('/@vocabularies/users?token=MAX', editor)).items).toEqual([{ token: 'max', title: 'max' }]);
    expect(await tokens('/@vocabularies/groups', editor)).toEqual(expect.arrayContaining(['Administrators', 'Crew']));
    for (const mark of ['__', ':']) {
      const query = `tokens=user${mark}vera&tokens=group${mark}Crew`;
      const found = await tokens(`/@vocabularies/${PLONE}.Principals?${query}`, editor);
      expect(found, query).toEqual(['group__Crew', 'user__vera']);
    }
  });

  test('the owner of a page reads the names of users there, and nowhere else', async () => {
    const owner = await addPerson(site, { id: 'olga' });
    const page = await make(site.kernel, '/', { id: 'of-olga' }, { owner: 'olga' });
    expect(await tokens(`${page}/@vocabularies/users`, owner)).toContain('olga');
    expect((await site.request('GET', '/@vocabularies/users', { as: owner })).status).toBe(403);
  });

  test('content that the caller may not view has no vocabularies', async () => {
    const page = await make(site.kernel, '/', { id: 'private-context' });
    for (const name of ['', '/types'])
      expect((await site.request('GET', `${page}/@vocabularies${name}`, ANONYMOUS)).status).toBe(401);
  });
});
