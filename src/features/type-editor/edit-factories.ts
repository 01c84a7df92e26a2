import type { Property } from '../../types/definition.ts';

/** What a kind of field fixes of a property. */
type Made = Pick<Property, 'type' | 'factory'> & Partial<Pick<Property, 'widget' | 'items' | 'uniqueItems'>>;

/** A kind of field that a schema may have: the names that clients give it, and what follows from them. */
type Factory = Made & { names?: string[] };

const LIST: Pick<Made, 'items'> = { items: { type: 'string' } };

/** In the forms that plone.restapi serves them in (§7, `@types`). */
const FACTORIES: readonly Factory[] = [
  { factory: 'Text line (String)', type: 'string', names: ['label_textline_field', 'Text line'] },
  { factory: 'Full Name', type: 'string', names: ['label_full_name'] },
  { factory: 'Text', type: 'string', widget: 'textarea', names: ['label_text_field'] },
  { factory: 'Rich Text', type: 'string', widget: 'richtext' },
  { factory: 'Email', type: 'string', widget: 'email', names: ['label_email'] },
  { factory: 'URL', type: 'string', widget: 'url' },
  { factory: 'Password', type: 'string', widget: 'password', names: ['label_password_field'] },
  { factory: 'Integer', type: 'integer', names: ['label_integer_field'] },
  { factory: 'Floating-point number', type: 'number', names: ['label_float_field'] },
  { factory: 'Yes/No', type: 'boolean', names: ['label_boolean_field'] },
  { factory: 'Date', type: 'string', widget: 'date', names: ['label_date_field'] },
  { factory: 'Date/Time', type: 'string', widget: 'datetime', names: ['label_datetime_field'] },
  { factory: 'Time', type: 'string', widget: 'time' },
  { factory: 'Choice', type: 'string', names: ['label_choice_field'] },
  { factory: 'Multiple Choice', type: 'array', ...LIST, uniqueItems: true, names: ['label_multi_choice_field'] },
  { factory: 'List', type: 'array', ...LIST },
  { factory: 'Tuple', type: 'array', ...LIST },
  { factory: 'Collection', type: 'array', ...LIST },
  { factory: 'Set', type: 'array', ...LIST, uniqueItems: true },
  { factory: 'Frozenset', type: 'array', ...LIST, uniqueItems: true },
  { factory: 'Relation Choice', type: 'string' },
  { factory: 'Relation List', type: 'array', uniqueItems: true },
  { factory: 'File', type: 'object', names: ['File Upload'] },
  { factory: 'Image', type: 'object' },
  { factory: 'JSONField', type: 'dict', widget: 'json' },
  // Volto finds its editor by the factory, as long as there is no widget.
  { factory: 'SlateJSONField', type: 'dict' },
  { factory: 'Dict', type: 'dict' },
];

const byName = new Map(
  FACTORIES.flatMap(({ names = [], ...made }) => [made.factory, ...names].map((name) => [name, made])),
);

/** What the kind of a name fixes of a field: its title, or its token in the vocabulary `Fields`. Undefined for no kind. */
export const factoryOf = (name: unknown): Made | undefined => (typeof name === 'string' ? byName.get(name) : undefined);

/** The titles of all kinds, for messages. */
export const FACTORY_TITLES: readonly string[] = FACTORIES.map(({ factory }) => factory);
