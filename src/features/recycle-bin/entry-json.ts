import { type Static, Type } from 'typebox';
import { contentPath, schemas } from '#core';
import type { RecycledEntry, RecycledItem } from './statements/entries.ts';

/** Members of both an entry and an object in it. */
const described = {
  '@id': Type.String({ format: 'uri' }),
  '@type': Type.String(),
  id: Type.String({ description: 'Its id where it was.' }),
  title: Type.String(),
  path: Type.String({ description: 'Where it was.' }),
  parent_path: Type.String(),
  language: schemas.Nullable(Type.String()),
  review_state: schemas.Nullable(Type.String()),
};

/** An entry of the recycle bin in responses. */
export const Entry = Type.Object({
  ...described,
  recycle_id: Type.String(),
  deleted_by: Type.String({ description: 'Id of the user.' }),
  deletion_date: Type.String({ format: 'date-time' }),
  has_children: Type.Boolean(),
  items_count: Type.Integer({ description: 'Objects below the deleted one.' }),
  actions: Type.Array(Type.Record(Type.String(), Type.String({ format: 'uri' })), {
    description: 'Addresses: `purge` for DELETE, `restore` for POST.',
  }),
});

/** An object below a deleted object, in responses. */
export const EntryItem = Type.Object({
  ...described,
  restore_id: Type.String({ description: 'What to send to restore this object alone.' }),
  children_count: Type.Integer({ description: 'Objects below it.' }),
});

/** Address of an entry, below the site root because the content's own address does not exist any more. */
export const entryUrl = (base: string, id: string): string => `${base}/@recyclebin/${encodeURIComponent(id)}`;

/** Represents an entry (Nick's contract). */
export function entryJson(base: string, entry: RecycledEntry): Static<typeof Entry> {
  const url = entryUrl(base, entry.id);
  return {
    '@id': url,
    '@type': entry.type,
    actions: [{ purge: url }, { restore: `${url}/restore` }],
    deleted_by: entry.deletedBy,
    deletion_date: entry.deleted.toISOString(),
    has_children: entry.objects > 1,
    id: entry.name,
    items_count: entry.objects - 1,
    language: entry.language,
    parent_path: contentPath.parent(entry.path) ?? '/',
    path: entry.path,
    recycle_id: entry.id,
    review_state: entry.reviewState,
    title: entry.title,
  };
}

/** Represents an object below the deleted one (@plone/types). */
export const itemJson = (base: string, entry: RecycledEntry, item: RecycledItem): Static<typeof EntryItem> => ({
  '@id': entryUrl(base, entry.id),
  '@type': item.type,
  children_count: item.children,
  id: item.name,
  language: item.language,
  parent_path: contentPath.parent(item.path) ?? '/',
  path: item.path,
  restore_id: item.uid,
  review_state: item.reviewState,
  title: item.title,
});
