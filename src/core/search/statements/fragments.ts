import { FIELD_COLUMNS } from './node-fields.ts';

/** The condition that content with an alias is between its dates of publication. */
export const inTime = (content: string): string =>
  `coalesce(${content}.effective, '-infinity') <= statement_timestamp() and coalesce(${content}.expires, 'infinity') > statement_timestamp()`;

/** True if the content `c` is between its dates of publication. */
export const IN_TIME = inTime('c');

/**
 * Unpacks the fields of the content `c` once, as `f.fields`. Long fields are stored compressed, and each expression that reads from `c.fields`
 * unpacks all fields anew, which takes longer than all other work for a list of pages. (`||` with an empty object returns the unpacked value; `offset
 * 0` prevents unpacking at each use.)
 */
export const UNPACKED = `cross join lateral (select c.fields || '{}' as fields offset 0) f`;

/**
 * Columns of `content` under the names of the domain (`TreeNode` and `ContentObject`), so that a row is an object. They need `UNPACKED` behind the
 * content `c`. `title` and `description` are read from the fields in SQL, because ancestors come without their fields.
 */
export const NODE_COLUMNS = `c.oid, c.uid, c.parent, c.name, c.path, c.type, c.review_state as "reviewState", c.owner, c.language,
  ${FIELD_COLUMNS}, c.effective, c.expires, ${IN_TIME} as "inTime", c.local_roles as "localRoles", c.inherit_roles as "inheritRoles", c.local_permissions as "localPermissions"`;

/**
 * Distinguishes each version of a row of a table from all others, by the place and the transaction of its last change: the same text means that
 * nothing in the row has changed.
 */
export const ROW_VERSION = (table: string): string => `${table}.ctid || ' ' || ${table}.xmin`;

/**
 * True if the content with a number has children, by one lookup in the index of children: `exists` would read the whole content if most of it is in one
 * container.
 */
export const HAS_CHILDREN = (oid: string): string =>
  `coalesce((select true from content child where child.parent = ${oid} order by child.position limit 1), false)`;

/** The object at the `other` end of a check-out, when `c` is at its `own` end. */
const CHECKED_OUT = (own: string, other: string) => `(select jsonb_build_object('path', o.path, 'title',
  coalesce(o.fields->>'title', ''), 'lock', w.lock) from working_copy w join content o on o.oid = w.${other} where w.${own} = c.oid)`;

/** Columns of an object beyond those of a node, except its fields. */
export const DETAIL_COLUMNS = `c.position, c.layout, c.created, c.modified, c.constrains,
  coalesce((select w.lock from working_copy w where w.baseline = c.oid), c.lock) as lock,
  ${CHECKED_OUT('baseline', 'copy')} as "workingCopy", ${CHECKED_OUT('copy', 'baseline')} as "workingCopyOf", c.default_page as "defaultPage", c.translation_group as "translationGroup",
  ${HAS_CHILDREN('c.oid')} as "hasChildren"`;

/**
 * All fields of an object, for use with `UNPACKED`. Its blocks and their order, which are most of a page, are columns of their own, so that they are
 * parsed only where their values are read (`database/wire-rows.ts`).
 */
export const ALL_FIELDS = `f.fields - array['blocks', 'blocks_layout'] as fields, f.fields->'blocks' as "fields.blocks", f.fields->'blocks_layout' as "fields.blocks_layout"`;

export const OBJECT_COLUMNS = `${NODE_COLUMNS}, ${DETAIL_COLUMNS}, ${ALL_FIELDS}`;

/** SQL condition for `column` below the path `parameter`, which is not the root; a prefix without its slash would include siblings. */
export const BELOW = (column: string, parameter: string) =>
  `${column} > ${parameter} || '/' and ${column} < ${parameter} || '0'`;

/** SQL condition for `column` at or below the path `parameter`, which may be the root. */
export const AT_OR_BELOW = (column: string, parameter: string) =>
  `(${column} = ${parameter} or ${parameter} = '/' or (${BELOW(column, parameter)}))`;

/** The fields `of` an object that listings show, without fields that may be large. */
const shownFields = (of: string): string => `${of}.fields - array['blocks', 'blocks_layout', 'text']`;

export const INDEX_FIELDS = shownFields('c');

/** The fields that listings show, for use with `UNPACKED`. */
export const LISTED_FIELDS = shownFields('f');

/** Columns of an object that listings show. */
export const LISTED_COLUMNS = `${NODE_COLUMNS}, c.created, c.modified, ${LISTED_FIELDS} as fields`;
