import { nodeFields } from '../search/statements/node-fields.ts';
import type { ContentChange, ContentObject, NewContent } from '../types/content-row.ts';
import type { InsertedRow } from './statements/write-content.ts';

type Fields = ContentObject['fields'];

/** Fields as they are loaded after the write: without values that JSON does not have. */
const asStored = (fields: Fields): Fields => JSON.parse(JSON.stringify(fields));

/** Fields as they are loaded after a change: values that stay, which are most of the bytes, are not copied. */
function changedFields(written: Fields, present: Fields): Fields {
  const [kept, others]: [Fields, Fields] = [{}, {}];
  for (const [name, value] of Object.entries(written)) (value === present[name] ? kept : others)[name] = value;
  return { ...kept, ...asStored(others) };
}

const isInTime = ({ effective, expires }: Pick<ContentObject, 'effective' | 'expires'>, now: number): boolean =>
  (effective === null || effective.getTime() <= now) && (expires === null || expires.getTime() > now);

/** A new object as it would be loaded after the insert, so that it need not be loaded again. */
export function insertedObject(row: NewContent, { oid, position, fields }: InsertedRow): ContentObject {
  return {
    ...{ oid, position, fields },
    ...nodeFields(fields),
    ...{ uid: row.uid, parent: row.parent, name: row.name, path: row.path, type: row.type },
    ...{ reviewState: row.reviewState, owner: row.owner, language: row.language, layout: row.layout },
    ...{ created: row.created, modified: row.modified, effective: row.effective, expires: row.expires },
    inTime: isInTime(row, Date.now()),
    ...{ localRoles: row.localRoles, inheritRoles: row.inheritRoles, localPermissions: row.localPermissions },
    ...{ constrains: null, lock: null, workingCopy: null, workingCopyOf: null },
    ...{ defaultPage: row.defaultPage, translationGroup: row.translationGroup, hasChildren: false },
  };
}

/** A stored object as it would be loaded after the change; undefined when only the database can say. */
export function changedObject(object: ContentObject, change: ContentChange): ContentObject | undefined {
  const { fields: written, language, layout, effective, expires, modified, translationGroup, ...others } = change;
  if (Object.keys(others).length > 0) return undefined;
  const fields = written === undefined ? object.fields : changedFields(written, object.fields);
  const changed: ContentObject = {
    ...{ ...object, fields, ...nodeFields(fields), modified: modified ?? object.modified },
    language: language === undefined ? object.language : language,
    layout: layout === undefined ? object.layout : layout,
    effective: effective === undefined ? object.effective : effective,
    expires: expires === undefined ? object.expires : expires,
    translationGroup: translationGroup === undefined ? object.translationGroup : translationGroup,
  };
  return { ...changed, inTime: isInTime(changed, Date.now()) };
}
