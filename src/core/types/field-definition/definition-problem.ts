import type { GroupSchema, Property } from '../definition.ts';
import { attempt } from '../field-input.ts';
import type { FieldKinds } from '../field-kinds.ts';
import { settingProblems, storedDefault } from './settings.ts';

/** Maximum depth of groups inside of groups, the outermost counted. */
export const MAX_GROUP_DEPTH = 3;
/** Fields of one group. */
const MAX_GROUP_FIELDS = 50;

/** Settings for fields of the whole object of content: fields inside of groups, and fields of users, must not have them. */
const OF_CONTENT = [
  ...(['unique', 'read_permission', 'write_permission', 'index', 'column', 'multilingual_options'] as const),
  ...(['mode', 'readonly', 'writeOnly'] as const),
];

/** The first setting of a field that only fields of content have; undefined for none. */
export const contentSetting = (property: Property): string | undefined =>
  OF_CONTENT.find((name) => property[name] !== undefined);

/** The reason why a field cannot be inside of a group; undefined when it can. */
export function memberProblem(kinds: FieldKinds, property: Property): string | undefined {
  if (kinds.of(property).holds)
    return 'Files cannot be inside of a group of fields: add them as content and relate to them.';
  const setting = contentSetting(property);
  return setting === undefined ? undefined : `"${setting}" cannot be set inside of a group: set it on the group.`;
}

/** Lists the problems with the number of fields of a group, and with its depth, itself counted. */
export function groupBoundProblems(
  properties: Readonly<Record<string, unknown>>,
  depth: number,
): { place: 'schema' | 'schema.properties'; message: string }[] {
  const count = Object.keys(properties).length;
  return [
    ...(depth > MAX_GROUP_DEPTH
      ? [{ place: 'schema' as const, message: `Groups can be ${MAX_GROUP_DEPTH} deep at most.` }]
      : []),
    ...(count === 0
      ? [{ place: 'schema.properties' as const, message: 'A group of fields needs at least one field inside.' }]
      : []),
    ...(count > MAX_GROUP_FIELDS
      ? [{ place: 'schema.properties' as const, message: `A group has at most ${MAX_GROUP_FIELDS} fields.` }]
      : []),
  ];
}

/** Keys by which content is served or written beside its fields. */
const RESERVED = new Set([
  ...['UID', 'id', 'parent', 'items', 'items_total', 'batching', 'created', 'modified', 'review_state', 'owner'],
  ...['layout', 'is_folderish', 'lock', 'version', 'type_title', 'previous_item', 'next_item', 'targetUrl'],
  ...['working_copy', 'working_copy_of', 'ordering', 'translation_of', 'changeNote', 'portal_type', 'default_page'],
]);

/** Says if a name is a key of content, which no field of a type can have. */
export const isReservedName = (name: string): boolean => RESERVED.has(name) || name in Object.prototype;

/** The first problem with a field, of its kind, its settings, its default or the fields inside it, with its place; undefined for none. */
export function definitionProblem(kinds: FieldKinds, name: string, property: Property, depth = 1): string | undefined {
  const { factory, schema } = property;
  if (!kinds.has(property)) return `There is no kind of field "${factory}".`;
  const [wrong] = settingProblems(kinds.of(property), name, property);
  if (wrong) return `${wrong.field}: ${wrong.message}`;
  let problem: string | undefined;
  attempt(
    'default',
    () => storedDefault(kinds, name, property),
    (place, message) => {
      problem ??= `${place}: ${message}`;
    },
  );
  if (problem !== undefined || schema === undefined) return problem;
  return kinds.isGroup(property) ? schemaProblem(kinds, schema, depth) : 'Only groups of fields have a schema.';
}

function schemaProblem(kinds: FieldKinds, { properties, required }: GroupSchema, depth: number): string | undefined {
  const [first] = groupBoundProblems(properties, depth);
  if (first) return first.message;
  const missing = required.find((name) => !Object.hasOwn(properties, name));
  if (missing !== undefined) return `There is no field "${missing}" that could be required.`;
  for (const [name, member] of Object.entries(properties)) {
    const problem = memberProblem(kinds, member) ?? definitionProblem(kinds, name, member, depth + 1);
    if (problem !== undefined) return `${name}: ${problem}`;
  }
  return undefined;
}
