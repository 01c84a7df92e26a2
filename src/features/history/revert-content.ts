import { isDeepStrictEqual } from 'node:util';
import {
  type Caller,
  type ContentObject,
  type ContentType,
  contentPath,
  fieldValues,
  has,
  type Kernel,
  locateForWrite,
  locks,
  MODIFY,
  requirePermission,
  versions,
} from '#core';
import { BadRequest, NotFound, ValidationFailed } from '#lib/errors';

/** Permission to restore a former version; `Modify portal content` is needed as well (Products.CMFEditions). */
export const REVERT_VERSIONS = 'CMFEditions: Revert to previous versions';

export type RevertRequest = {
  caller: Caller;
  path: string;
  version: number;
  /** Value of the header `Lock-Token`. */
  lockToken: string | undefined;
};

/**
 * Fields that are not reverted: the dates of publication belong to the workflow state and the language to the translations,
 * which are not reverted either; `versioning_enabled` is not part of a version.
 */
const NOT_REVERTED = new Set(['effective', 'expires', 'language', 'versioning_enabled']);

/**
 * The fields that differ between the object and its version and that the caller may write. A required field without a value in the version is left
 * out, because the type may not have had the field then.
 */
function differingFields(
  type: ContentType,
  now: ContentObject,
  then: ContentObject,
  mayWrite: (permission: string) => boolean,
): string[] {
  return type.fields
    .filter((field) => fieldValues.isWritable(field) && !NOT_REVERTED.has(field.name))
    .filter(({ write_permission: permission }) => permission === undefined || mayWrite(permission))
    .filter(({ name, required }) => !(required && fieldValues.isEmpty(then.fields[name])))
    .map(({ name }) => name)
    .filter((name) => !isDeepStrictEqual(now.fields[name] ?? null, then.fields[name] ?? null));
}

/**
 * Gives an object the values of one of its versions, in one transaction with its events, which makes a new version. Fields that the caller may not
 * write stay unchanged. Returns the new title of the object. Throws NotFound for an unknown version, Unauthorized or Forbidden, and ValidationFailed
 * when the old values conflict with the unchanged ones.
 */
export async function revertContent(
  kernel: Kernel,
  { caller, path, version, lockToken }: RevertRequest,
): Promise<string> {
  return kernel.db.transaction(async (tx) => {
    const { site, resolved } = await locateForWrite(kernel, path, tx, 'change');
    if (!resolved) throw new NotFound(path);
    requirePermission(site, caller, resolved, REVERT_VERSIONS);
    requirePermission(site, caller, resolved, MODIFY);
    const { object } = resolved;
    locks.requireUnlocked(object, lockToken);
    const type = site.types.get(object.type);
    if (!type) throw new BadRequest(`The site no longer has the type "${object.type}": this object cannot be edited.`);
    const then = (await versions.resolve(tx, site, resolved, version))?.object;
    if (!then) throw new NotFound(contentPath.child(path, `@history/${version}`));
    const names = differingFields(type, object, then, (permission) => has(site, caller, resolved, permission));
    const values = Object.fromEntries(names.map((name) => [name, then.fields[name] ?? null]));
    const fields: Record<string, unknown> = { ...object.fields, ...values };
    const problems = fieldValues.problems(type, fields, new Set(names));
    if (problems.length > 0) throw new ValidationFailed(problems);
    const keepsLayout = then.layout === object.layout || (then.layout !== null && !type.layouts.includes(then.layout));
    const layout = keepsLayout ? undefined : then.layout;
    await fieldValues.write(kernel, tx, {
      site,
      object,
      caller,
      values,
      layout,
      note: `Reverted to revision ${version}.`,
    });
    const title = fields.title;
    return typeof title === 'string' && title !== '' ? title : object.name;
  });
}
