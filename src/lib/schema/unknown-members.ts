import type { TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { isJsonObject, type JsonObject } from '../json-object.ts';
import { nearestName } from '../text/edit-distance.ts';
import type { SchemaProblem } from './schema-problems.ts';

/** Members of representations, which clients send back. */
const OF_REPRESENTATIONS: ReadonlySet<string> = new Set(['@id', '@type']);

/** Maximum length of a name in a message. */
const MAX_NAME_LENGTH = 100;

/** The text for a member that an object does not have, with the nearest name or all names. */
export function unknownMember(name: string, names: readonly string[]): string {
  const nearest = nearestName(name, names);
  if (nearest !== undefined) return `There is no such member. Did you mean "${nearest}"?`;
  return names.length === 0
    ? 'There is no such member: this takes none.'
    : `There is no such member. This takes ${names.join(', ')}.`;
}

/**
 * The members of a value, at any depth, that its schema does not name: an object is closed unless it declares further members (`OpenObject`,
 * `additionalProperties`, records). Otherwise a typing mistake in the name of a limit would remove the limit. `@id` and `@type` are allowed, and left
 * out.
 */
export function unknownMembers(schema: unknown, value: unknown, path: readonly string[] = []): SchemaProblem[] {
  if (!isJsonObject(schema)) return [];
  if (Array.isArray(schema.anyOf)) return inVariant(schema.anyOf, value, path);
  if (Array.isArray(value)) return value.flatMap((item, i) => unknownMembers(schema.items, item, [...path, String(i)]));
  if (!isJsonObject(value)) return [];
  const members = membersOf(schema);
  if (!members) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const at = [...path, name.slice(0, MAX_NAME_LENGTH)];
    if (Object.hasOwn(members.named, name)) return unknownMembers(members.named[name], member, at);
    if (members.others !== undefined) return unknownMembers(members.others, member, at);
    if (OF_REPRESENTATIONS.has(name) && schema.additionalProperties === undefined) return [];
    return [{ field: at.join('.'), member: path[0] ?? name, message: unknownMember(name, Object.keys(members.named)) }];
  });
}

/** The variant of a union that the value fits. If several fit, the one that names the most members of the value. */
function inVariant(variants: readonly unknown[], value: unknown, path: readonly string[]): SchemaProblem[] {
  const found = variants
    .filter((variant): variant is TSchema & JsonObject => isJsonObject(variant) && Check(variant, value))
    .map((variant) => unknownMembers(variant, value, path))
    .sort((a, b) => a.length - b.length);
  return found[0] ?? [];
}

/** The members that an object names, and the schema of further members if it is open; undefined for a schema without members. */
function membersOf(schema: JsonObject): { named: JsonObject; others: unknown } | undefined {
  const { properties, patternProperties, additionalProperties: others } = schema;
  if (Array.isArray(schema.allOf)) return together(schema.allOf.filter(isJsonObject).map(membersOf));
  if (isJsonObject(patternProperties)) return { named: {}, others: Object.values(patternProperties)[0] ?? true };
  if (!isJsonObject(properties)) return undefined;
  return { named: properties, others: others === false ? undefined : others };
}

/** A combined object has the members of all its parts. */
const together = (parts: ReturnType<typeof membersOf>[]): ReturnType<typeof membersOf> =>
  parts.reduce(
    (all, part) => all && part && { named: { ...all.named, ...part.named }, others: all.others ?? part.others },
    { named: {}, others: undefined },
  );
