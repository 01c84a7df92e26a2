import { anything, filled, flag, listOf, number, oneOf, orNull, record, type Shape, tableOf, text } from './shape.ts';

/** Kinds of fields that a property may name (plone.restapi, @types, "factory values"). */
const FACTORIES = [
  'Text line (String)',
  'Text',
  'Email',
  'Password',
  'URL',
  'Integer',
  'Floating-point number',
  'Yes/No',
  'Date',
  'Date/Time',
  'Choice',
  'Multiple Choice',
  'List',
  'Tuple',
  'Collection',
  'Relation Choice',
  'Relation List',
  'Rich Text',
  'File',
  'Image',
  'JSONField',
];

const vocabulary = record({ '@id': filled });
const choices = listOf(listOf(text));

const shown = { title: filled, description: filled, group: filled, enabled: flag, sortable: flag };
const index: Shape = (value, where) =>
  typeof value === 'string' ? filled(value, where) : record({ kind: filled }, shown)(value, where);

const property = record(
  {
    title: filled,
    type: oneOf('string', 'integer', 'number', 'boolean', 'array', 'object', 'dict'),
    factory: oneOf(...FACTORIES),
  },
  {
    description: filled,
    widget: filled,
    widgetOptions: tableOf(anything),
    default: anything,
    mode: oneOf('hidden', 'display', 'input'),
    readonly: flag,
    writeOnly: flag,
    vocabulary,
    choices,
    items: record({}, { type: filled, vocabulary, choices }),
    minLength: number,
    maxLength: number,
    minimum: number,
    maximum: number,
    minItems: number,
    maxItems: number,
    pattern: filled,
    unique: flag,
    uniqueItems: flag,
    additionalItems: flag,
    multilingual_options: record({ language_independent: flag }),
    read_permission: filled,
    write_permission: filled,
    index,
    column: flag,
  },
);

const schema = {
  fieldsets: listOf(record({ id: filled, title: filled, fields: listOf(filled) }, { description: filled })),
  properties: tableOf(property),
  required: listOf(filled),
};

/** Conditions of actions, as `docs/profiles.md` lists them. */
const condition = oneOf(
  'anonymous',
  'authenticated',
  'self_registration',
  'is_folderish',
  'not_root',
  'has_versioning',
  'can_check_out',
  'is_working_copy',
);

const guard = record({}, { permissions: listOf(filled), roles: listOf(filled), groups: listOf(filled) });

/** The shape of each file of a profile, by its name or by its folder. */
export const SHAPES: Record<string, Shape> = {
  'metadata.json': record(
    {
      id: filled,
      title: filled,
      description: filled,
      version: (value, where) => (/^\d+$/.test(String(value)) ? text(value, where) : [`${where}: no version`]),
    },
    { extends: filled, rename: tableOf(filled) },
  ),
  types: record(
    {
      id: filled,
      title: filled,
      behaviors: listOf(filled),
      global_allow: flag,
      filter_content_types: flag,
      allowed_content_types: listOf(filled),
      workflow: orNull(filled),
      layouts: listOf(filled),
    },
    { ...schema, description: filled, icon: filled, aliases: listOf(filled), add_permission: filled },
  ),
  behaviors: record({ id: filled, title: filled }, { ...schema, description: filled, aliases: listOf(filled) }),
  workflows: record(
    {
      id: filled,
      title: filled,
      initial_state: filled,
      states: tableOf(
        record({
          title: filled,
          transitions: listOf(filled),
          permissions: tableOf(record({ roles: listOf(filled), acquire: flag })),
        }),
      ),
      transitions: tableOf(record({ title: filled, new_state: filled }, { guard })),
    },
    { description: filled },
  ),
  'roles.json': listOf(record({ id: filled, title: filled, description: filled })),
  'permissions.json': tableOf(listOf(filled)),
  'groups.json': listOf(record({ id: filled, title: filled, description: filled, roles: listOf(filled) })),
  vocabularies: record({ id: filled, title: filled, items: listOf(record({ token: filled, title: filled })) }),
  'actions.json': tableOf(
    listOf(record({ id: filled, title: filled }, { url: filled, icon: filled, permission: filled, condition })),
  ),
  'settings.json': tableOf(tableOf(anything)),
  'catalog.json': record(
    {},
    {
      indexes: listOf(record({ name: filled, type: filled }, { attr: filled, ...shown })),
      metadata: listOf(record({ name: filled }, { attr: filled })),
    },
  ),
  'content.json': record(
    { title: filled, review_state: filled },
    {
      description: filled,
      blocks: tableOf(record({ '@type': filled }, { value: listOf(anything), plaintext: filled })),
      blocks_layout: record({ items: listOf(filled) }),
    },
  ),
};

/** The shape of the file at a path of a profile; undefined when a profile has no such file. */
export function shapeOf(path: string): Shape | undefined {
  const folder = path.split('/').at(-2);
  return SHAPES[folder ?? path];
}
