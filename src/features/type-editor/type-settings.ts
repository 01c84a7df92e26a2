import {
  type Behavior,
  FieldError,
  fieldDefinitions,
  fieldValues,
  type Property,
  type Site,
  speaksPlone,
  type TypeDefinition,
} from '#core';
import { type FieldProblem, ValidationFailed } from '#lib/errors';
import { type JsonObject, tokenOf } from '#lib/json-object';
import { behaviorsByName } from './own-schema.ts';

const FLAG = { type: 'boolean', factory: 'Yes/No' };

/** Plone's setting for the types that a type can contain: all, none, or some. */
export const TAKEN = ['none', 'all', 'some'] as const;
type Taken = (typeof TAKEN)[number];

/** The setting `filter_content_types` in Plone's form (plone.app.dexterity, ITypeSettings). */
const TAKES: Property = {
  title: 'Filter Contained Types',
  description: 'Items of this type can contain others. Which types may be added inside?',
  type: 'string',
  factory: 'Choice',
  default: 'none',
  choices: [
    ['none', 'No content types'],
    ['all', 'All content types'],
    ['some', 'Some content types'],
  ],
};

/** The settings of every type, beside its behaviors (Nick, `@controlpanels/dexterity-types`). */
const SETTINGS: Readonly<Record<string, Property>> = {
  title: { title: 'Type Name', description: '', type: 'string', factory: 'Text line (String)' },
  description: { title: 'Description', description: '', type: 'string', factory: 'Text', widget: 'textarea' },
  allowed_content_types: {
    title: 'Allowed Content Types',
    description: 'Counts where contained types are filtered.',
    type: 'array',
    factory: 'Multiple Choice',
    uniqueItems: true,
    additionalItems: true,
    items: { type: 'string', vocabulary: { '@id': 'types' } },
  },
  filter_content_types: {
    title: 'Filter Contained Types',
    description: 'Whether only the allowed types may be added inside.',
    ...FLAG,
  },
};

/** The behaviors of a site, by title. */
const byTitle = ({ behaviors }: Site): Behavior[] =>
  [...behaviors.values()].sort((a, b) => a.title.localeCompare(b.title, 'en') || (a.id < b.id ? -1 : 1));

/** The form of a type: its settings, and a switch for each behavior of the site. */
export function typeForm(site: Site): { properties: Record<string, Property>; behaviors: string[] } {
  const behaviors = byTitle(site);
  const switches = behaviors.map(({ id, title, description = '' }): [string, Property] => [
    id,
    { title, description, ...FLAG },
  ]);
  const settings = speaksPlone(site) ? { ...SETTINGS, filter_content_types: TAKES } : SETTINGS;
  return { properties: { ...settings, ...Object.fromEntries(switches) }, behaviors: behaviors.map(({ id }) => id) };
}

/** Names of the settings that are no behaviors. */
export const TYPE_SETTINGS: readonly string[] = Object.keys(SETTINGS);

/** The state of each behavior of the site, on or off, by all its names. */
function switchesOf(site: Site, type: TypeDefinition): Map<string, boolean> {
  const named = behaviorsByName([...site.behaviors.values()]);
  const on = new Set(type.behaviors.map((name) => named.get(name)?.id));
  return new Map([...named].map(([name, { id }]) => [name, on.has(id)]));
}

function takenBy({ filter_content_types: filter, allowed_content_types: allowed }: TypeDefinition): Taken {
  if (!filter) return 'all';
  return allowed.length === 0 ? 'none' : 'some';
}

/**
 * The values of the form of a type. Behaviors have values under their aliases as well, because clients of Plone use these; on a site with Plone's
 * names there are no aliases.
 */
export function typeValues(site: Site, type: TypeDefinition): JsonObject {
  const plone = speaksPlone(site);
  const switches = [...switchesOf(site, type)].filter(([name]) => !plone || site.behaviors.has(name));
  return {
    title: type.title,
    description: type.description ?? '',
    allowed_content_types: type.allowed_content_types,
    filter_content_types: plone ? takenBy(type) : type.filter_content_types,
    ...Object.fromEntries(switches),
  };
}

/** Parses a list of types of the site, as tokens or terms. Types that the list has already may be gone. Throws FieldError. */
function parseTypes(
  site: Site,
  value: unknown,
  { present, root }: { present: readonly string[]; root: string },
): string[] {
  if (value === null) return [];
  const names = (Array.isArray(value) ? value : [value]).map(tokenOf);
  return [
    ...new Set(
      names.map((name) => {
        if (name === undefined) throw new FieldError('Must be a list of content types.');
        if (name === root) throw new FieldError(`"${root}" is the type of the site itself, which cannot be added.`);
        if (!site.types.has(name) && !present.includes(name))
          throw new FieldError(`There is no content type "${name.slice(0, 100)}".`);
        return name;
      }),
    ),
  ];
}

function parseFlag(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new FieldError('Must be true or false.');
  return value;
}

/** Parses the setting for the contained types: Nick's truth value, or one of Plone's words, bare or as a term. */
function parseTaken(value: unknown): Partial<TypeDefinition> {
  if (typeof value === 'boolean') return { filter_content_types: value };
  const word = tokenOf(value);
  if (word === 'all' || word === 'some') return { filter_content_types: word === 'some' };
  if (word === 'none') return { filter_content_types: true, allowed_content_types: [] };
  throw new FieldError(`Must be true or false, or one of: ${TAKEN.join(', ')}.`);
}

/** The settings of a type in the order of their effects: `filter_content_types` comes last, because "none" empties the list of types. */
const inOrder = (sent: JsonObject): [string, unknown][] =>
  Object.entries(sent).sort(([a], [b]) => Number(a === 'filter_content_types') - Number(b === 'filter_content_types'));

/** Merges sent settings into a type. Throws ValidationFailed with all problems. */
export function parseTypeSettings<T extends TypeDefinition>(
  site: Site,
  type: T,
  { sent, root }: { sent: JsonObject; root: string },
): T {
  const problems: FieldProblem[] = [];
  const named = behaviorsByName([...site.behaviors.values()]);
  const present = switchesOf(site, type);
  const switched = new Set<string>();
  let next = type;
  const readers: Record<string, (value: unknown) => Partial<TypeDefinition>> = {
    title: (value) => ({ title: fieldDefinitions.parseTitle(value) }),
    description: (value) => ({ description: fieldDefinitions.parseDescription(value) }),
    filter_content_types: parseTaken,
    allowed_content_types: (value) => ({
      allowed_content_types: parseTypes(site, value, { present: type.allowed_content_types, root }),
    }),
  };
  for (const [name, value] of inOrder(sent)) {
    const read = Object.hasOwn(readers, name) ? readers[name] : undefined;
    const behavior = named.get(name);
    const change = () => {
      if (read) next = { ...next, ...read(value) };
      else if (!behavior) throw new FieldError('Is no setting of a content type, and no behavior of this site.');
      // A behavior may be sent under several names. The value that differs from the stored one is the change.
      else if (parseFlag(value) !== present.get(name)) switched.add(behavior.id);
    };
    fieldValues.attempt(name.slice(0, 100), change, fieldValues.into(problems));
  }
  if (problems.length > 0) throw new ValidationFailed(problems);
  const kept = type.behaviors.filter((name) => !switched.has(named.get(name)?.id ?? name));
  const added = [...switched].filter((id) => present.get(id) === false);
  return { ...next, behaviors: [...kept, ...added] };
}
