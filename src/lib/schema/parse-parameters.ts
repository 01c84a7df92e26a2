import type { TSchema } from 'typebox';
import { isJsonObject, type JsonObject } from '../json-object.ts';
import { parseBoolean, parseInteger, parseNumber } from './parse-text.ts';

/** Makes the value of one parameter from its texts; undefined counts as absent. */
type Parse = (texts: readonly string[]) => unknown;

/** Parses the parameters of a schema from texts; made once for a schema, used for each request. */
export type ParameterParser = (textsOf: (name: string) => readonly string[]) => JsonObject;

/**
 * Parses the parameters that a schema names; others are left out. A text that does not fit its type stays a text, so that the check of the schema
 * rejects it.
 *
 * - Numbers and truth values (the words of plone.restapi: `1`, `yes`, `on` …): white space around them does not count.
 * - Lists: each repeated value; with the keyword `commas` also values between commas. White space around an item does not count, empty items are left
 *   out. A list that was not sent, or is empty, is absent.
 * - Texts: unchanged, with the keyword `trim` without white space around them. Of repeated texts the first one counts.
 * - An empty value is absent, except for a text without `trim`.
 */
export function parameterParser(schema: TSchema): ParameterParser {
  const parsers = new Map(membersOf(schema).map(([name, member]) => [name, parserOf(member)]));
  return (textsOf) => {
    const values: JsonObject = {};
    for (const [name, parse] of parsers) {
      const value = parse(textsOf(name));
      if (value !== undefined) values[name] = value;
    }
    return values;
  };
}

/** The texts of a parameter in a query string, including texts under Zope's name `name:list`. */
export const textsIn =
  (searchParams: URLSearchParams) =>
  (name: string): readonly string[] => [...searchParams.getAll(name), ...searchParams.getAll(`${name}:list`)];

function membersOf(schema: unknown): [string, unknown][] {
  if (!isJsonObject(schema)) return [];
  const parts = Array.isArray(schema.allOf) ? schema.allOf.flatMap(membersOf) : [];
  return [...Object.entries(isJsonObject(schema.properties) ? schema.properties : {}), ...parts];
}

function parserOf(schema: unknown): Parse {
  if (!isJsonObject(schema)) return ([text]) => text;
  if (schema.type === 'array') return listParser(schema);
  const parse = scalarParser(schema);
  return ([text]) => (text === undefined ? undefined : parse(text));
}

function listParser({ items, commas }: JsonObject): Parse {
  const parse = scalarParser(isJsonObject(items) ? items : {});
  return (texts) => {
    const values = (commas === true ? texts.flatMap((text) => text.split(',')) : texts)
      .map((text) => text.trim())
      .filter((text) => text !== '')
      .map(parse);
    return values.length === 0 ? undefined : values;
  };
}

/** Returns a function that converts one text to a value of a schema. The variants of a union are tried in their order. */
function scalarParser(schema: JsonObject): (text: string) => unknown {
  const types = typesOf(schema);
  const isText = types.includes('string') || types.length === 0;
  return (text) => {
    const trimmed = text.trim();
    if (trimmed === '' && (!isText || schema.trim === true)) return undefined;
    for (const type of types) {
      const value = convert(type, trimmed);
      if (value !== undefined) return value;
    }
    return schema.trim === true ? trimmed : text;
  };
}

function typesOf(schema: unknown): unknown[] {
  if (!isJsonObject(schema)) return [];
  if (Array.isArray(schema.anyOf)) return schema.anyOf.flatMap(typesOf);
  return [schema.type].flat().filter((type) => type !== undefined);
}

function convert(type: unknown, text: string): unknown {
  if (type === 'integer') return parseInteger(text);
  if (type === 'number') return parseNumber(text);
  return type === 'boolean' ? parseBoolean(text) : undefined;
}
