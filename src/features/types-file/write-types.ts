import { apiDescription } from '#core';
import { isJsonObject, type JsonObject } from '#lib/json-object';

const REFERENCE = '#/components/schemas/';
/** The schemas from which the types of the client are made. */
const ROOTS = ['ContentObject', 'ContentCreate', 'ContentChange', 'Expansions', 'SearchIndex'];
const NAME = /^[A-Za-z_$][\w$]*$/;

/** A name in the form of a member of a type. */
const memberName = (name: string): string => (NAME.test(name) ? name : JSON.stringify(name));
/** The name of a component as a name of TypeScript. */
const typeName = (component: string): string => component.replace(/[^A-Za-z0-9_]/g, '_');

/** A text as a comment beside a member: one line, which it cannot end. */
const comment = (text: unknown): string =>
  typeof text === 'string' && text !== '' ? `/** ${text.replace(/\s+/g, ' ').replaceAll('*/', '*\\/')} */ ` : '';

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The alternatives of a schema as one type. */
const union = (types: readonly string[]): string => {
  const all = [...new Set(types)];
  return all.includes('unknown') ? 'unknown' : all.length === 1 ? (all[0] ?? 'unknown') : `(${all.join(' | ')})`;
};

function objectType(schema: JsonObject): string {
  const required = new Set(listOf(schema.required));
  const members = Object.entries(isJsonObject(schema.properties) ? schema.properties : {}).map(([name, member]) => {
    const note = isJsonObject(member) ? comment(member.description) : '';
    return `${note}${memberName(name)}${required.has(name) ? '' : '?'}: ${typeOf(member)};`;
  });
  const others = Object.values(isJsonObject(schema.patternProperties) ? schema.patternProperties : {});
  if (others.length > 0 && members.length === 0) return `{ [name: string]: ${union(others.map(typeOf))} }`;
  const isOpen = schema.additionalProperties === true || isJsonObject(schema.additionalProperties);
  if (members.length === 0)
    return isOpen ? `{ [name: string]: ${typeOf(schema.additionalProperties)} }` : 'Record<string, never>';
  return `{ ${members.join(' ')}${isOpen ? ' [name: string]: unknown;' : ''} }`;
}

/** The type of a schema of the description of the API. Schemas of other forms than the server writes are `unknown`. */
function typeOf(schema: unknown): string {
  if (!isJsonObject(schema)) return 'unknown';
  const { $ref: reference, type } = schema;
  if (typeof reference === 'string' && reference.startsWith(REFERENCE))
    return typeName(reference.slice(REFERENCE.length));
  if ('const' in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return union(schema.enum.map((value) => JSON.stringify(value)));
  const alternatives = [...listOf(schema.anyOf), ...listOf(schema.oneOf)];
  if (alternatives.length > 0) return union(alternatives.map(typeOf));
  const parts = listOf(schema.allOf);
  if (parts.length > 0) return `(${parts.map(typeOf).join(' & ')})`;
  if (Array.isArray(type)) return union(type.map((one) => typeOf({ ...schema, type: one })));
  if (type === 'string' || type === 'boolean' || type === 'null') return type;
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'array') return `${typeOf(schema.items)}[]`;
  return type === 'object' ? objectType(schema) : 'unknown';
}

/** The content types in a union of schemas, each with the name of its schema. */
function membersOf(union: unknown): [type: string, component: string][] {
  const discriminator = isJsonObject(union) ? union.discriminator : undefined;
  const mapping = isJsonObject(discriminator) ? discriminator.mapping : undefined;
  return Object.entries(isJsonObject(mapping) ? mapping : {}).map(([type, ref]) => [
    type,
    typeName(String(ref).slice(REFERENCE.length)),
  ]);
}

/** The types of blocks that the server knows, each with the name of its schema. */
function blocksOf(schemas: JsonObject): [type: string, component: string][] {
  const { Block: block } = schemas;
  return listOf(isJsonObject(block) ? block.anyOf : undefined).flatMap((one): [string, string][] => {
    const name = isJsonObject(one) ? String(one.$ref).slice(REFERENCE.length) : '';
    const schema = schemas[name];
    const members = isJsonObject(schema) && isJsonObject(schema.properties) ? schema.properties : {};
    const { '@type': type } = members;
    return isJsonObject(type) && typeof type.const === 'string' ? [[type.const, typeName(name)]] : [];
  });
}

const table = (entries: readonly (readonly [string, string])[]): string =>
  entries.length === 0
    ? '{}'
    : `{\n${entries.map(([name, type]) => `    ${memberName(name)}: ${type};\n`).join('')}  }`;

/**
 * Returns a module of TypeScript with the types of a site: one type for each schema of content, and `Site` for the client. `all` are the schemas of
 * the description of the API. Undefined when the description has no types, as for visitors.
 */
export function typesModule(all: JsonObject): string | undefined {
  const schemas = apiDescription.usedSchemas(
    all,
    ROOTS.map((name) => ({ $ref: `${REFERENCE}${name}` })),
  );
  const content = membersOf(schemas.ContentObject);
  if (content.length === 0) return undefined;
  const create = membersOf(schemas.ContentCreate);
  const change = create.map(([type, name]) => [type, name.replace(/Create$/, 'Change')] as const);
  const expansions = isJsonObject(schemas.Expansions) ? schemas.Expansions.properties : undefined;
  const expanded = Object.entries(isJsonObject(expansions) ? expansions : {}).map(([name, schema]) => {
    // The first alternative is the content, the last one the link.
    const content = isJsonObject(schema) ? listOf(schema.anyOf).at(0) : undefined;
    return [name, typeOf(content ?? schema)] as const;
  });
  const indexes = isJsonObject(schemas.SearchIndex) ? listOf(schemas.SearchIndex.enum).map(String) : [];
  const plain = indexes.map((name) => [name, name === 'portal_type' ? 'keyof Site["content"]' : 'IndexValue'] as const);
  return `// Written by "canopy types": write it again after the content types of the site have changed.

${Object.entries(schemas)
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([name, schema]) => `export type ${typeName(name)} = ${typeOf(schema)};`)
  .join('\n')}

type IndexValue = string | number | boolean | Date;

/** The types of the site, for createClient<Site>(…) of @canopy-server/client. */
export type Site = {
  content: ${table(content)};
  create: ${table(create)};
  change: ${table(change)};
  expansions: ${table(expanded)};
  indexes: ${table(plain)};
  blocks: ${table(blocksOf(schemas))};
};
`;
}
