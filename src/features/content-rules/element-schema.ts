import type { Property, Schema } from '#core';

/** The fields of a kind of conditions or actions, in one fieldset. */
export const elementSchema = (properties: Record<string, Property>, required: string[] = []): Schema => ({
  fieldsets: [{ id: 'default', title: 'Default', fields: Object.keys(properties) }],
  properties,
  required,
});

/** Several terms of a vocabulary. */
export const terms = (vocabulary: string, title: string, description: string): Property => ({
  title,
  description,
  type: 'array',
  factory: 'Multiple Choice',
  items: { type: 'string', vocabulary: { '@id': vocabulary } },
  uniqueItems: true,
  additionalItems: true,
});

/** A line of text. */
export const line = (title: string, description: string, more: Partial<Property> = {}): Property => ({
  title,
  description,
  type: 'string',
  factory: 'Text line (String)',
  maxLength: 1000,
  ...more,
});

/** A text of several lines. */
export const area = (title: string, description: string): Property => ({
  title,
  description,
  type: 'string',
  factory: 'Text',
  widget: 'textarea',
  maxLength: 10_000,
});

/** A folder, by its path or UID. */
export const folder = (title: string, description: string): Property => ({
  title,
  description,
  type: 'string',
  factory: 'Relation Choice',
  widget: 'object_browser',
  widgetOptions: { pattern_options: { selectableTypes: [], maximumSelectionSize: 1 } },
});

/** The texts in a list. */
export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
