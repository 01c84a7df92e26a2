import type { Queryable } from '../../database/database.ts';
import { ValidationFailed } from '../../lib/errors.ts';
import type { Site } from '../configuration/site/site.ts';
import { nodeFields } from '../search/statements/node-fields.ts';
import type { ContentObject, ResolvedNode } from '../types/content-row.ts';
import type { ContentType } from '../types/content-type.ts';
import { loadVersion, type VersionRow } from './statements/load-content.ts';
import { splitColumns } from './values.ts';

/** Characters of a note. */
const MAX_NOTE_LENGTH = 1000;

/** The note on a change that a client sent as `changeNote`; empty without one. Throws ValidationFailed. */
export function parseChangeNote({ changeNote }: Record<string, unknown>): string {
  if (changeNote === undefined || changeNote === null) return '';
  const reject = (message: string) => new ValidationFailed([{ field: 'changeNote', message }]);
  if (typeof changeNote !== 'string') throw reject('Must be a string.');
  if (changeNote.includes('\u0000') || !changeNote.isWellFormed()) throw reject('Is not well-formed text.');
  const note = changeNote.trim();
  if (note.length > MAX_NOTE_LENGTH) throw reject(`Is longer than ${MAX_NOTE_LENGTH} characters.`);
  return note;
}

/** Numbers of at most nine digits fit the column. */
const NUMBER = /^\d{1,9}$/;

/** The number of a version as clients write it, a number or its digits; undefined for anything else. */
export function versionNumber(value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && NUMBER.test(text) ? Number(text) : undefined;
}

/** Says if objects of a type have versions; each object may still switch them off (`versioning_enabled`). */
export const hasVersions = ({ behaviorNames }: Pick<ContentType, 'behaviorNames'>): boolean =>
  behaviorNames.has('versioning') || behaviorNames.has('plone.versioning');

/** Names of the types whose objects have versions. */
export const versionedTypes = (site: Site): string[] =>
  [...site.types.values()].filter(hasVersions).map(({ id }) => id);

/** The name under which versions keep the layout, which is no field. */
export const LAYOUT = 'layout';

/**
 * An object as it was in a version. Its values, layout and time of change are those of the version; its address, state, local roles, lock, owner,
 * children and viewers are the present ones.
 */
function asVersion(object: ContentObject, { at, replaced }: VersionRow): ContentObject {
  const { [LAYOUT]: layout = object.layout, ...values } = replaced;
  const { columns, fields: changed } = splitColumns(values);
  const fields = { ...object.fields, ...changed };
  return {
    ...object,
    ...columns,
    fields,
    layout: typeof layout === 'string' ? layout : null,
    modified: at,
    ...nodeFields(fields),
  };
}

/** An object with its containers, as it was in a version; undefined when it has no version of this number. Runs one statement. */
export async function resolvedVersion(
  db: Queryable,
  site: Site,
  { object, ancestors }: ResolvedNode,
  number: number,
): Promise<ResolvedNode | undefined> {
  const type = site.types.get(object.type);
  const versioned = type !== undefined && hasVersions(type);
  const row = await loadVersion(db, { content: object.oid, number, versioned });
  return row && { object: asVersion(object, row), ancestors };
}
