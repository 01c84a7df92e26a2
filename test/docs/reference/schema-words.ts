import { type NamedSchemas, publishSchema } from '../../../src/core/services/openapi/schemas.ts';
import { isJsonObject, type JsonObject } from '../../../src/lib/json-object.ts';
import { code, codes, plain } from './markdown.ts';

/** A member of a body, or a parameter. */
type Member = { name: string; isRequired: boolean; schema: JsonObject };

/** The most values of an enumeration that are listed. */
const MAX_VALUES = 12;

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
  null: 'null',
};

/** Schemas of declarations in words: types, bounds, members. References are followed in the schemas that it has met. */
export class SchemaWords {
  readonly #named: NamedSchemas = new Map();

  /** The schema of a declaration as `@openapi` has it. */
  publish(schema: unknown): JsonObject {
    const published = publishSchema(schema, this.#named);
    return isJsonObject(published) ? published : {};
  }

  #resolve(schema: unknown): JsonObject {
    if (!isJsonObject(schema)) return {};
    const { $ref } = schema;
    return typeof $ref === 'string' ? this.#resolve(this.#named.get($ref.split('/').at(-1) ?? '')?.schema) : schema;
  }

  /** A type in few words, such as "list of texts" or "whole number, 1 to 100". */
  type(schema: unknown): string {
    if (!isJsonObject(schema)) return 'anything';
    const { $ref, type, items, anyOf, allOf } = schema;
    if (typeof $ref === 'string') return code($ref.split('/').at(-1) ?? '');
    if ('const' in schema) return code(JSON.stringify(schema.const));
    if (Array.isArray(schema.enum))
      return codes(
        schema.enum.map((value) => JSON.stringify(value)),
        MAX_VALUES,
      );
    if (Array.isArray(anyOf)) return [...new Set(anyOf.map((variant) => this.type(variant)))].join(' or ');
    if (Array.isArray(allOf)) return 'object';
    if (type === 'array')
      return `list${isJsonObject(items) && Object.keys(items).length > 0 ? ` of ${this.type(items)}` : ''}`;
    const words = Array.isArray(type) ? type.map((one) => TYPES[String(one)]).join(' or ') : TYPES[String(type)];
    return `${schema.format === 'date-time' ? 'time' : (words ?? 'anything')}${bounds(schema)}`;
  }

  /** The members of an object, with those of its parts; none of any other schema. */
  members(schema: unknown): Member[] {
    const { properties, required, allOf } = this.#resolve(schema);
    const names = Array.isArray(required) ? required : [];
    const own = Object.entries(isJsonObject(properties) ? properties : {}).map(([name, member]) => ({
      name,
      isRequired: names.includes(name),
      schema: isJsonObject(member) ? member : {},
    }));
    const parts = Array.isArray(allOf) ? allOf.flatMap((part) => this.members(part)) : [];
    return [...new Map([...parts, ...own].map((member) => [member.name, member])).values()];
  }

  /** A list of members in Markdown, one in a line. */
  list(members: readonly Member[]): string[] {
    return members.map(({ name, isRequired, schema }) => {
      const { description, default: fallback } = schema;
      const facts = [
        this.type(schema),
        ...(isRequired ? ['required'] : []),
        ...(fallback === undefined ? [] : [`${code(JSON.stringify(fallback))} unless given`]),
      ];
      return `  - ${code(name)} (${facts.join('; ')})${typeof description === 'string' ? `: ${plain(description)}` : ''}`;
    });
  }

  /** A response in few words: the names of its members, or the type of its items. */
  response(schema: unknown): string {
    const published = this.publish(schema);
    const names = this.members(published).map(({ name }) => name);
    if (names.length > 0) return codes(names, 20);
    const { items } = this.#resolve(published);
    const inItems = this.members(items).map(({ name }) => name);
    return inItems.length > 0 ? `a list of objects with ${codes(inItems, 20)}` : '';
  }
}

function bounds({ minimum, maximum }: JsonObject): string {
  if (typeof minimum === 'number' && typeof maximum === 'number') return `, ${minimum} to ${maximum}`;
  if (typeof minimum === 'number') return `, ${minimum} or more`;
  return typeof maximum === 'number' ? `, ${maximum} or less` : '';
}
