import { Type } from 'typebox';
import { isJsonObject, type JsonObject } from '../../../lib/json-object.ts';
import type { Field } from '../content-type.ts';
import type { Property } from '../definition.ts';
import { FieldError, type FieldKind, type ReadContext, type WriteContext } from '../field-kind.ts';
import { Summary } from '../value-shapes.ts';
import { mergeOrdered } from './merge-list.ts';

/** The reference in the value that a client sent for a relation: a UID, URL or path, bare or in an object (plone.restapi §4.2). */
function referenceOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return undefined;
  const { UID, '@id': id } = value as { UID?: unknown; '@id'?: unknown };
  if (typeof id === 'string') return id;
  return typeof UID === 'string' ? UID : undefined;
}

function* referencesIn(value: unknown): Iterable<string> {
  for (const item of Array.isArray(value) ? value : [value]) {
    const reference = referenceOf(item);
    if (reference !== undefined) yield reference;
  }
}

function resolve(value: unknown, field: Field, context: WriteContext): string {
  const reference = referenceOf(value);
  const uid = reference === undefined ? undefined : context.resolveUid(reference);
  if (uid === undefined) {
    throw new FieldError(
      `Could not resolve object for "${String(reference ?? JSON.stringify(value)).slice(0, 200)}" in ${field.name}.`,
    );
  }
  return uid;
}

/** The summary of a target with its UID; undefined for targets that are removed or hidden from the caller. */
function served(uid: unknown, context: ReadContext): Record<string, unknown> | undefined {
  const target = typeof uid === 'string' ? context.target(uid) : undefined;
  return target?.visible ? { ...target.summary, UID: target.uid } : undefined;
}

/** The vocabulary from which forms offer targets of relations. */
const CATALOG = { '@id': 'plone.app.vocabularies.Catalog' };

const isExportedRelation = (value: unknown): boolean =>
  isJsonObject(value) && typeof value['@id'] === 'string' && typeof value.UID === 'string';

/**
 * Volto shows a choice with a vocabulary as a list of all terms. A field that may refer to any content needs the browser of content instead, unless
 * its form has another widget.
 */
const inBrowser = ({ widget, widgetOptions }: Property): JsonObject =>
  widget !== undefined || widgetOptions !== undefined
    ? {}
    : {
        widgetOptions: {
          frontendOptions: { widget: 'object_browser', widgetProps: { mode: 'link', return: 'single' } },
        },
      };

/** Content that a relation leads to, as clients name it. */
const Reference = Type.String({ description: 'UID, address or path of content.' });

/** One reference, stored as a UID, served as a summary; null when it is broken or hidden. */
export const relationChoice: FieldKind = {
  factories: [{ name: 'Relation Choice', tokens: ['Relation Choice'], property: { type: 'string' } }],
  relates: 'one',
  shape: () => ({ read: Summary, write: Reference }),
  indexes: ['uuid'],
  missing: null,
  links: referencesIn,
  deserialize(value, field, context) {
    if (Array.isArray(value)) {
      if (value.length > 1) throw new FieldError('Takes one reference only.');
      return value.length === 0 ? null : resolve(value[0], field, context);
    }
    return value === '' ? null : resolve(value, field, context);
  },
  uids: (stored) => (typeof stored === 'string' ? [stored] : []),
  serialize: (stored, _field, context) => served(stored, context) ?? null,
  schema: inBrowser,
  recognizes: (sample) => 'value' in sample && isJsonObject(sample.value) && typeof sample.value['@id'] === 'string',
  imported: { vocabulary: CATALOG },
};

/** References in order, stored as UIDs, served as summaries; broken and hidden ones are left out. */
export const relationList: FieldKind = {
  factories: [{ name: 'Relation List', tokens: ['Relation List'], property: { type: 'array', uniqueItems: true } }],
  relates: 'many',
  shape: () => ({ read: Type.Array(Summary), write: Type.Array(Reference) }),
  indexes: ['uuid'],
  missing: [],
  merge: mergeOrdered,
  links: referencesIn,
  deserialize: (value, field, context) => [
    ...new Set((Array.isArray(value) ? value : [value]).map((item) => resolve(item, field, context))),
  ],
  uids: (stored) => (Array.isArray(stored) ? stored.filter((uid) => typeof uid === 'string') : []),
  serialize: (stored, _field, context) =>
    Array.isArray(stored) ? stored.flatMap((uid) => served(uid, context) ?? []) : [],
  recognizes: (sample) => 'value' in sample && Array.isArray(sample.value) && sample.value.every(isExportedRelation),
  imported: { items: { type: 'string', vocabulary: CATALOG } },
  // An empty list has no items to recognize; it counts as a list of texts.
  breadth: 1,
};
