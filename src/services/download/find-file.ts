import { has } from '../../content/permissions.ts';
import { requestedVersion } from '../../content/versions.ts';
import { NotFound } from '../../lib/errors.ts';
import { ANONYMOUS, type Caller } from '../../security/caller.ts';
import { USE_API, VIEW } from '../../security/permissions.ts';
import type { Field } from '../../types/content-type.ts';
import type { StoredFile } from '../../types/field-kind.ts';
import { isStoredFile } from '../../types/fields/files.ts';
import type { RequestContext } from '../service.ts';

/** The file in a field of the content that was called. */
export type FoundFile = {
  field: string;
  file: StoredFile;
  /** Whether nobody in particular may read it as well, so that shared caches may keep it. */
  open: boolean;
};

/** Whether the caller may read the field, once it may view the object. */
const mayRead = ({ site, resolved }: RequestContext, caller: Caller, { read_permission: permission }: Field): boolean =>
  permission === undefined || has(site, caller, resolved, permission);

/** Throws 404 for what was asked for behind the address of the content. */
export function fileNotFound({ resolved, rest }: RequestContext, service: string): never {
  throw new NotFound([resolved.object.path === '/' ? '' : resolved.object.path, service, ...rest].join('/'));
}

/**
 * The file in the field of this name. Throws NotFound when there is no such field, when it holds no files (or, with
 * `images`, no pictures), when it is empty, and when the caller may not read it: one answer for all of them.
 */
export function findFile(
  context: RequestContext,
  service: string,
  name: string | undefined,
  { images = false } = {},
): FoundFile {
  const { site, resolved, kernel, caller } = context;
  const field = site.types.get(resolved.object.type)?.fieldByName.get(name ?? '');
  const holds = field && !field.writeOnly ? kernel.fieldKinds.of(field).holds : undefined;
  const file = field && resolved.object.fields[field.name];
  if (!field || !holds || (images && holds !== 'image') || !isStoredFile(file) || !mayRead(context, caller, field)) {
    return fileNotFound(context, service);
  }
  // Former versions are not for everybody, wherever they come from.
  const open =
    requestedVersion(context.searchParams) === undefined &&
    [VIEW, USE_API].every((permission) => has(site, ANONYMOUS, resolved, permission)) &&
    mayRead(context, ANONYMOUS, field);
  return { field: field.name, file, open };
}
