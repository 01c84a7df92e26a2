import { beforeAll, describe, expect, it } from 'vitest';
import { describeServices } from '../../src/core/services/openapi/endpoint.ts';
import { isJsonObject, type JsonObject } from '../../src/lib/json-object.ts';
import { picture } from '../client/client-site.ts';
import { addPerson } from '../content/people.ts';
import { describeQuickestEngine } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';
import { member, problemsOf, responseSchema } from './read-document.ts';

const names = (value: unknown): string[] => Object.keys(isJsonObject(value) ? value : {});

describeQuickestEngine('the content types in the description of the API', (engine) => {
  describe.each(['default', 'plone'])('in the profile %s', (profile) => {
    const site = useTestSite(engine, () => ({ profile }));
    let document: JsonObject;
    let components: JsonObject;
    const schemaAt = (name: string): unknown => components[name];
    const typesOf = (union: string): [string, string][] =>
      Object.entries(member(components, union, 'discriminator', 'mapping') ?? {}).map(([type, ref]) => [
        type,
        String(ref).replace('#/components/schemas/', ''),
      ]);
    const problems = (name: string, value: unknown) => problemsOf(document, schemaAt(name), value);

    beforeAll(async () => {
      document = (await site.request('GET', '/@openapi')).body;
      const schemas = member(document, 'components', 'schemas');
      components = isJsonObject(schemas) ? schemas : {};
    });

    it('each content type has a schema for each direction, with its name as the discriminator.', async () => {
      const types = [...(await site.kernel.sites.current()).types.keys()].sort();
      expect(typesOf('ContentObject').map(([type]) => type)).toEqual(types);
      expect(typesOf('ContentCreate').map(([type]) => type)).toEqual(types);
      for (const [type, name] of typesOf('ContentObject'))
        expect(member(schemaAt(name), 'properties', '@type')).toEqual({ type: 'string', const: type });
    });

    it('the examples of bodies create content, and what is served fits the schema of its type, with all expansions.', async () => {
      const expand = names(member(components, 'Expansions', 'properties')).join(',');
      const image = {
        data: Buffer.from(await picture(40, 30)).toString('base64'),
        encoding: 'base64',
        filename: 'a.png',
      };
      let created = 0;
      for (const [type, name] of typesOf('ContentCreate')) {
        const examples = member(schemaAt(name), 'examples');
        const [example]: unknown[] = Array.isArray(examples) ? examples : [];
        if (!isJsonObject(example)) continue;
        expect(problems(name, example), type).toEqual([]);
        const isAllowed = (await site.kernel.sites.current()).types.get(type)?.global_allow;
        if (!isAllowed) continue;
        const fields = names(member(schemaAt(name), 'properties'));
        const body = { ...example, ...(fields.includes('preview_image') ? { preview_image: image } : {}) };
        const { status, body: content } = await site.request('POST', '/', { json: body });
        expect(status, JSON.stringify(content)).toBe(201);
        created += 1;
        const path = new URL(content['@id']).pathname;
        const read = await site.request('GET', `${path}?expand=${expand}`);
        const schema = responseSchema(document, ['/{path}', 'get'], 200);
        expect(schema).toMatchObject({ oneOf: expect.any(Array) });
        const own = typesOf('ContentObject').find(([one]) => one === type)?.[1] ?? '';
        expect(problems(own, read.body), type).toEqual([]);
      }
      expect(created).toBeGreaterThanOrEqual(4);
      const without = typesOf('ContentCreate').filter(([, name]) => member(schemaAt(name), 'examples') === undefined);
      // A file is nothing that the description has an example of.
      expect(without.map(([type]) => type)).toEqual(['File', 'Image', 'Video']);
      const root = (await site.request('GET', '/')).body;
      const rootSchema = typesOf('ContentObject').find(([type]) => type === root['@type'])?.[1] ?? '';
      expect(problems(rootSchema, root)).toEqual([]);
    });

    it('a value of a wrong type and a missing field do not fit, and a change needs no field.', () => {
      const [[type, name] = ['', '']] = typesOf('ContentCreate').filter(([one]) => /^(Page|Document)$/.test(one));
      expect(problems(name, { '@type': type, title: 5 })).not.toEqual([]);
      expect(problems(name, { '@type': type })).not.toEqual([]);
      expect(problems(name.replace('Create', 'Change'), {})).toEqual([]);
      expect(problems(name.replace('Create', 'Change'), { title: ['x'] })).not.toEqual([]);
    });

    it('each block that the server knows has a schema by its @type, and others are any object.', async () => {
      const known = member(components, 'Block', 'anyOf');
      const names = (Array.isArray(known) ? known : []).map(
        (one) => String(member(one, '$ref')).split('/').at(-1) ?? '',
      );
      expect(names).toEqual(
        expect.arrayContaining(['SlateBlock', 'ImageBlock', 'TeaserBlock', 'ListingBlock', 'OtherBlock']),
      );
      const value = [{ type: 'p', children: [{ text: 'A ' }, { type: 'strong', children: [{ text: 'b' }] }] }];
      expect(problems('SlateBlock', { '@type': 'slate', plaintext: 'A b', value, styles: {} })).toEqual([]);
      expect(problems('SlateBlock', { '@type': 'slate', value: 'A b' })).not.toEqual([]);
      expect(problems('SlateBlock', { '@type': 'image' })).not.toEqual([]);
      for (const block of [{ '@type': 'slate', value: 'A b' }, { '@type': 'mine', x: [1] }, {}])
        expect(problems('Block', block)).toEqual([]);
      expect(problems('Block', 'text')).not.toEqual([]);
      const type = profile === 'plone' ? 'Document' : 'Page';
      const blocks = {
        a: { '@type': 'slate', plaintext: 'A b', value },
        b: { '@type': 'teaser', href: [{ '@id': '/' }], overwrite: false },
        c: { '@type': 'image', url: '/', alt: 'A' },
        d: { '@type': 'gridBlock', blocks: { e: { '@type': 'slate', value } }, blocks_layout: { items: ['e'] } },
      };
      const json = { '@type': type, title: 'Blocks', blocks, blocks_layout: { items: Object.keys(blocks) } };
      const { body } = await site.request('POST', '/', { json });
      for (const [id, name] of Object.entries({ a: 'Slate', b: 'Teaser', c: 'Image', d: 'Grid' }))
        expect(problems(`${name}Block`, body.blocks[id]), name).toEqual([]);
    });

    it('visitors are not shown the content types, as in @types.', async () => {
      const visible = (await site.request('GET', '/@openapi', { as: 'anonymous' })).body;
      expect(names(member(visible, 'components', 'schemas')).filter((name) => /Create$/.test(name))).toEqual([]);
    });

    it('fields that need a permission are shown to those who have it, each in its direction.', async () => {
      const type = profile === 'plone' ? 'Document' : 'Page';
      const add = async (title: string, rights: Record<string, string>) => {
        const json = { title, factory: 'Integer', ...rights };
        expect((await site.request('POST', `/@types/${type}`, { json })).status).toBe(201);
      };
      await add('Price', { read_permission: 'Manage users' });
      await add('Budget', { write_permission: 'Manage users' });
      const { token } = await addPerson(site, { id: 'mary', roles: ['Contributor', 'Editor', 'Member'] });
      const mary = { Authorization: `Bearer ${token}` };
      const fields = async (headers: Record<string, string>) => {
        const { body, status } = await site.request('GET', '/@openapi', { as: 'anonymous', headers });
        expect(status).toBe(200);
        const has = (direction: string) =>
          names(member(body, 'components', 'schemas', `${type}${direction}`, 'properties'))
            .filter((name) => /^(price|budget)$/.test(name))
            .sort();
        return [has('Content'), has('Create'), has('Change')];
      };
      const root = await addPerson(site, { id: 'root', roles: ['Manager'] });
      const manager = { Authorization: `Bearer ${root.token}` };
      const all = ['budget', 'price'];
      // The Manager asks in between: a document that is cached for one is not sent to the other.
      expect(await fields(mary)).toEqual([['budget'], ['price'], ['price']]);
      expect(await fields(manager)).toEqual([all, all, all]);
      expect(await fields(mary)).toEqual([['budget'], ['price'], ['price']]);
      expect((await site.request('PATCH', '/@users/mary', { json: { roles: { Manager: true } } })).status).toBe(204);
      expect(await fields(mary)).toEqual([all, all, all]);
      for (const name of ['price', 'budget'])
        expect((await site.request('DELETE', `/@types/${type}/${name}`)).status).toBe(204);
    });

    it('the types make the description at most a third longer, and leave the other schemas as they are.', async () => {
      const { text } = await site.request('GET', '/@openapi');
      const general = JSON.stringify(
        describeServices(
          site.server.services,
          () => true,
          () => false,
        ),
      );
      expect(text.length).toBeLessThan(1.3 * general.length);
      const before = member(JSON.parse(general), 'components', 'schemas');
      const shared = names(before).filter((name) => name in components && name !== 'ContentObject');
      expect(shared.length).toBeGreaterThan(5);
      for (const name of shared) expect(schemaAt(name), name).toEqual(member(before, name));
    });

    it('the description has an entity tag, which a new type and a new field change.', async () => {
      const first = await site.request('GET', '/@openapi');
      const headers = { 'If-None-Match': first.headers.get('etag') ?? '' };
      expect((await site.request('GET', '/@openapi', { headers })).status).toBe(304);
      const data = { title: 'Depth', description: 'In metres', factory: 'Integer' };
      const { status } = await site.request('POST', `/@types/${profile === 'plone' ? 'Document' : 'Page'}`, {
        json: data,
      });
      expect(status).toBe(201);
      const second = await site.request('GET', '/@openapi', { headers });
      expect(second.status).toBe(200);
      const page = profile === 'plone' ? 'DocumentChange' : 'PageChange';
      expect(member(second.body, 'components', 'schemas', page, 'properties', 'depth')).toEqual({
        description: 'Depth: In metres',
        anyOf: [{ type: 'integer' }, { type: 'null' }],
      });
    });
  });
});
