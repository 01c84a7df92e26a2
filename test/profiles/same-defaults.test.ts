import { expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';

const HOUR_MS = 3_600_000;

/** Tests the defaults that new sites have in each profile of the program. */
function sameDefaults(profile: 'default' | 'plone', page: string) {
  describeEachEngine(`defaults of the profile ${profile}`, (engine) => {
    const site = useTestSite(engine, () => ({ profile }));
    const get = async (path: string): Promise<Json> => (await site.request('GET', path)).body;
    const post = (json: Json, path = '/') => site.request('POST', path, { json });

    it('the form of an event begins at the full hour, and so does an event without times where Plone fills them in', async () => {
      const { start, end } = (await get('/@types/Event')).properties;
      expect(Date.parse(end.default) - Date.parse(start.default)).toBe(HOUR_MS);
      const { status, body } = await post({ '@type': 'Event', title: 'Party' });
      expect(status).toBe(profile === 'plone' ? 201 : 400);
      if (status === 201)
        expect([body.start, body.end]).toEqual(
          [start.default, end.default].map((time) => new Date(time).toISOString()),
        );
    });

    it('titles and summaries have the same limits in all types, also in new ones, whose comments can be opened', async () => {
      const made = await post({ title: 'Recipe' }, '/@controlpanels/dexterity-types');
      expect(made.status).toBe(201);
      const id = new URL(made.headers.get('location') ?? '').pathname.split('/').at(-1) ?? '';
      for (const type of [page, 'Event', 'Link', 'News Item', 'File', id]) {
        const { properties } = await get(`/@types/${type}`);
        expect([properties.title.maxLength, properties.description.maxLength], type).toEqual([1024, 10_000]);
        expect(properties, type).toHaveProperty('allow_discussion');
      }
      expect((await post({ '@type': decodeURIComponent(id), title: 't'.repeat(1025) })).status).toBe(400);
      expect((await post({ '@type': decodeURIComponent(id), title: 't'.repeat(1024) })).status).toBe(201);
    });

    it('comments on files are closed until an editor opens them', async () => {
      const file = { data: 'aGk=', encoding: 'base64', filename: 'a.txt', 'content-type': 'text/plain' };
      const { body } = await post({ '@type': 'File', title: 'A', file });
      expect(body.allow_discussion).toBe(false);
      const comment = () => post({ text: 'Hello' }, `${body['@id']}/@comments`);
      expect((await comment()).status).toBe(403);
      expect((await site.request('PATCH', body['@id'], { json: { allow_discussion: true } })).status).toBe(204);
      expect((await comment()).status).toBe(204);
    });

    it('aliases are a component, and navigation has one level unless a request wants more', async () => {
      const outer = (await post({ '@type': page, title: 'Outer' })).body['@id'];
      const inner = (await post({ '@type': page, title: 'Inner' }, outer)).body['@id'];
      await site.request('POST', `${inner}/@aliases`, { json: { items: [{ path: '/elsewhere' }] } });
      const { aliases, navigation } = (await get(`${inner}?expand=aliases,navigation`))['@components'];
      expect(aliases.items).toMatchObject([{ path: '/elsewhere' }]);
      const below = (items: Json[]) => items.find((item) => item['@id'] === outer)?.items;
      expect(below(navigation.items)).toEqual([]);
      const deep = (await get(`${inner}/@navigation?expand.navigation.depth=2`)).items;
      expect(below(deep)).toMatchObject([{ '@id': inner }]);
    });
  });
}

sameDefaults('default', 'Page');
sameDefaults('plone', 'Document');
