import { type TSchemaOptions, Type } from 'typebox';
import { NotFound } from '../../lib/errors.ts';
import { isJsonObject, type JsonObject } from '../../lib/json-object.ts';
import { has, reject } from '../content/permissions.ts';
import { childPath } from '../content/tree-path.ts';
import { resolvedVersion, versionNumber } from '../content/versions.ts';
import { ACCESS_VERSIONS, VIEW } from '../security/permissions.ts';
import type { AnyContent } from '../serializer/content-shapes.ts';
import { type ItemQuery, itemOptions, represent } from '../serializer/representation.ts';
import type { ResolvedNode } from '../types/content-row.ts';
import type { ContentType } from '../types/content-type.ts';
import type { FieldKinds } from '../types/field-kinds.ts';
import { Words } from './schemas.ts';
import type { RequestContext } from './service.ts';

export {
  hasVersions as areKept,
  LAYOUT,
  resolvedVersion as resolve,
  versionedTypes as keptTypes,
} from '../content/versions.ts';

export { ACCESS_VERSIONS };

/** Says if the caller may read former versions: this also needs the permission to view the present version. */
export const mayReadVersions = ({
  site,
  caller,
  resolved,
}: Pick<RequestContext, 'site' | 'caller' | 'resolved'>): boolean =>
  [VIEW, ACCESS_VERSIONS].every((permission) => has(site, caller, resolved, permission));

/** The parameter that asks for a former version; `run` gets its number, or undefined for the present state. */
export const VERSION_PARAMETER = {
  version: Type.Optional(
    Type.Decode(
      Words({
        description: 'Number of a former version, or `current`. See `@history`.',
        pattern: '^(?:current|\\d{1,9})$',
        default: 'current',
        reject: 'Invalid version: Not the number of a version',
      }),
      versionNumber,
    ),
  ),
};

/** The number of a version in bodies, a number or its digits. `run` gets a number. */
export const VersionNumber = (options: TSchemaOptions) =>
  Type.Decode(
    Type.Refine(
      Type.Union([Type.Integer(), Type.String()], {
        message: { required: 'must be the number of a version', other: 'must be the number of a version' },
        ...options,
      }),
      (value) => versionNumber(value) !== undefined,
    ),
    (value) => versionNumber(value) ?? 0,
  );

/** A request whose query may ask for a former version. */
export type VersionRequest = RequestContext<object, { version?: number | undefined }, object>;

/** The object of a request as it was in a version. Throws NotFound when there is no version with this number. */
export async function requireVersion(
  { db, site, resolved }: Pick<RequestContext, 'db' | 'site' | 'resolved'>,
  version: unknown,
): Promise<ResolvedNode> {
  const number = versionNumber(version);
  const found = number === undefined ? undefined : await resolvedVersion(db, site, resolved, number);
  if (found) return found;
  throw new NotFound(childPath(resolved.object.path, `@history/${version}`));
}

/** A served file with the addresses of its bytes and scales in a version. */
function fileAt(file: JsonObject, version: number): JsonObject {
  const { download, scales } = file;
  return {
    ...file,
    ...(typeof download === 'string' ? { download: `${download}?version=${version}` } : {}),
    ...(isJsonObject(scales)
      ? {
          scales: Object.fromEntries(
            Object.entries(scales).map(([name, scale]) => [name, isJsonObject(scale) ? fileAt(scale, version) : scale]),
          ),
        }
      : {}),
  };
}

/** The served values of a version, with the version in the addresses of its files, which would otherwise lead to the present files. */
export function withFilesAt<Values extends JsonObject>(
  kinds: FieldKinds,
  type: ContentType | undefined,
  values: Values,
  version: number,
): Values {
  const files = (type?.fields ?? []).flatMap((field) => {
    const value = values[field.name];
    return kinds.of(field).holds && isJsonObject(value) ? [[field.name, fileAt(value, version)] as const] : [];
  });
  const { targetUrl } = values;
  const leads = files.some(([name]) => {
    const value = values[name];
    return isJsonObject(value) && value.download === targetUrl;
  });
  return {
    ...values,
    ...Object.fromEntries(files),
    ...(leads ? { targetUrl: `${targetUrl}?version=${version}` } : {}),
  };
}

/** The representation of a former version, in the shape of the present representation. Throws NotFound. */
export async function representVersion(
  context: RequestContext<object, ItemQuery, object>,
  version: string | number,
): Promise<AnyContent> {
  const resolved = await requireVersion(context, version);
  const number = versionNumber(version) ?? 0;
  const values = await represent(context, resolved, itemOptions(context.query, context.searchParams));
  const type = context.site.types.get(resolved.object.type);
  return { ...withFilesAt(context.kernel.fieldKinds, type, values, number), version: String(number) };
}

/**
 * Requires that the caller may read former versions, and keeps the response out of caches: old versions may be pruned without a change of the content.
 * Throws Unauthorized or Forbidden.
 */
export function requireVersionAccess(context: VersionRequest): void {
  context.noCache?.();
  if (!mayReadVersions(context)) reject(context.caller);
}

/**
 * The request with the object in the version that its query names; the request itself when it names no version. Throws Unauthorized or Forbidden for
 * callers who may not read versions, NotFound for versions that do not exist.
 */
export async function atRequestedVersion<Request extends VersionRequest>(context: Request): Promise<Request> {
  const { version } = context.query;
  if (version === undefined) return context;
  requireVersionAccess(context);
  return { ...context, resolved: await requireVersion(context, version) };
}
