import { Type } from 'typebox';
import { ADD, DELETE, MODIFY, VIEW } from '#core';
import { isJsonObject, type JsonObject } from '#lib/json-object';
import type { SiteRequests } from '../site-requests.ts';
import { defineTool, type Tool } from '../tool.ts';
import { Path } from './inputs.ts';

/** The form of blocks that most pages are made of. */
const BLOCKS_FORM = {
  blocks: {
    '<id 1>': { '@type': 'title' },
    '<id 2>': {
      '@type': 'slate',
      value: [{ type: 'p', children: [{ text: 'A paragraph.' }] }],
      plaintext: 'A paragraph.',
    },
  },
  blocks_layout: { items: ['<id 1>', '<id 2>'] },
};

/** A field of a type, without what only forms of editors need. */
const fieldOf = (property: JsonObject, isRequired: boolean): JsonObject => ({
  title: property.title,
  ...(property.description ? { description: property.description } : {}),
  type: property.type,
  ...(property.format === undefined ? {} : { format: property.format }),
  ...(isRequired ? { required: true } : {}),
  ...(Array.isArray(property.enum) ? { choices: property.enum } : {}),
});

async function addableTypes(site: SiteRequests, path: string): Promise<JsonObject> {
  const { body } = await site.json('GET', `${path}/@types`);
  const types = Array.isArray(body) ? body.filter(isJsonObject) : [];
  return { types: types.map(({ id, title, addable }) => ({ id, title, addable })) };
}

async function describedType(site: SiteRequests, path: string, type: string): Promise<JsonObject> {
  const { title, properties, required } = await site.object(`${path}/@types/${encodeURIComponent(type)}`);
  const needed = new Set(Array.isArray(required) ? required : []);
  const fields = Object.entries(isJsonObject(properties) ? properties : {}).filter(([, field]) => isJsonObject(field));
  const hasBlocks = fields.some(([name]) => name === 'blocks');
  return {
    ...{ type, title },
    fields: Object.fromEntries(
      fields.map(([name, field]) => [name, fieldOf(isJsonObject(field) ? field : {}, needed.has(name))]),
    ),
    ...(hasBlocks ? { blocks: { types: site.context.kernel.blocks.types, form: BLOCKS_FORM } } : {}),
  };
}

const describeType = defineTool({
  name: 'describe_type',
  title: 'Describe a type',
  description:
    'The fields of a content type and its blocks; without a type, the types and which of them can be added at the path.',
  scope: 'read',
  input: Type.Object(
    {
      type: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      path: Type.Optional(Path('The container; the root unless given.')),
    },
    { additionalProperties: false },
  ),
  run(site, { type, path }) {
    const at = path === undefined ? site.home : site.pathOf(path);
    return type === undefined ? addableTypes(site, at) : describedType(site, at, type);
  },
});

const explainAccess = defineTool({
  name: 'explain_access',
  title: 'Explain what I may',
  description: 'Says what you may do with a page and why; with a permission, the whole chain that decides.',
  scope: 'read',
  input: Type.Object(
    {
      path: Path('The page.'),
      permission: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    },
    { additionalProperties: false },
  ),
  async run(site, { path, permission }) {
    const address = `${site.pathOf(path)}/@explain-access`;
    if (permission !== undefined) return site.object(address, { permission });
    const { authentication, caller } = site.context;
    const may: Record<string, unknown> = {};
    for (const asked of [VIEW, ADD, MODIFY, DELETE]) {
      const { allowed, message } = await site.object(address, { permission: asked });
      may[asked] = { allowed, reason: message };
    }
    return {
      user: caller.id,
      scopes: caller.id === null ? ['read'] : (authentication.limits?.scopes ?? null),
      permissions: may,
    };
  },
});

/** Tools that describe types and rights. */
export const describingTools: Tool[] = [describeType, explainAccess];
