import { longColumns } from './long-fields.ts';
import { FIELD_COLUMNS } from './node-fields.ts';

/** The condition that content with an alias is between its dates of publication. */
export const inTime = (content: string): string =>
  `coalesce(${content}.effective, '-infinity') <= statement_timestamp() and coalesce(${content}.expires, 'infinity') > statement_timestamp()`;

/** True if the content `c` is between its dates of publication. */
export const IN_TIME = inTime('c');

/**
 * Columns of `content` under the names of the domain (`TreeNode` and `ContentObject`), so that a row is an object. `title` and `description` are read from the fields in SQL, because ancestors come without their fields.
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
 * The row `k` of the catalog for a row of content `c`, looked up by its key (`offset 0`). For the children of one container the database would read all
 * that a visitor may see: it takes the tokens of a parameter for rare ones.
 */
export const CATALOG_ROW = 'cross join lateral (select k.* from catalog k where k.oid = c.oid offset 0) k';

/** All fields of an object. */
export const ALL_FIELDS = `c.fields, ${longColumns('c')}`;

export const OBJECT_COLUMNS = `${NODE_COLUMNS}, ${DETAIL_COLUMNS}, ${ALL_FIELDS}`;

/** SQL condition for `column` below the path `parameter`, which is not the root; a prefix without its slash would include siblings. */
export const BELOW = (column: string, parameter: string) =>
  `${column} > ${parameter} || '/' and ${column} < ${parameter} || '0'`;

/** SQL condition for `column` at or below the path `parameter`, which may be the root. */
export const AT_OR_BELOW = (column: string, parameter: string) =>
  `(${column} = ${parameter} or ${parameter} = '/' or (${BELOW(column, parameter)}))`;

/** Columns of an object that listings show. */
export const LISTED_COLUMNS = `${NODE_COLUMNS}, c.created, c.modified, c.fields`;
