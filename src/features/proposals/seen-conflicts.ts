import { type Caller, has, locate, permissions, type RequestContext, urlOf } from '#core';
import { ClientError, type Conflict } from '#lib/errors';
import { isJsonObject, type JsonObject } from '#lib/json-object';

/** A part of an object that both the proposal and others have changed. */
export type FoundConflict = JsonObject & { request: number };

/** The object that a request is about, as far as the reader may see it. */
type Seen = { '@id': string; fields: ReadonlySet<string>; hasVersions: boolean };

/** Returns what the reader sees of the object at a path; undefined for one that it may not view. */
export async function seenAt(
  { performPart, ...context }: RequestContext,
  reader: Caller,
  path: string,
): Promise<Seen | undefined> {
  if (!performPart) return undefined;
  const within = { ...context, caller: reader, authentication: { ...context.authentication, caller: reader } };
  try {
    const { body } = await performPart({ method: 'GET', target: urlOf('', path) || '/', headers: {} }, { within });
    const { site, resolved } = await locate(context.kernel, path);
    if (!isJsonObject(body) || typeof body['@id'] !== 'string' || !resolved) return undefined;
    const hasVersions = has(site, reader, resolved, permissions.ACCESS_VERSIONS);
    return { '@id': body['@id'], fields: new Set(Object.keys(body)), hasVersions };
  } catch (error) {
    if (error instanceof ClientError) return undefined;
    throw error;
  }
}

/** Says if an error is a conflict with what others have changed, part by part. */
export const hasConflicts = ({ details }: Conflict): boolean => Array.isArray(details.conflicts);

/** The parts of a conflict as the reader may see them: of fields that it may not read, and of objects that it may not view, none. */
export function conflictsOf(request: number, { details }: Conflict, seen: Seen | undefined): FoundConflict[] {
  if (!seen) return [{ request }];
  const parts: unknown = details.conflicts;
  return (Array.isArray(parts) ? parts : []).filter(isJsonObject).flatMap((part): FoundConflict[] => {
    if (typeof part.field !== 'string' || !seen.fields.has(part.field)) return [{ request, '@id': seen['@id'] }];
    const { base, ...others } = part;
    return [{ request, '@id': seen['@id'], ...others, ...(seen.hasVersions ? { base } : {}) }];
  });
}

/** The details of a conflict as the reader may see them: the name of the present state, and the fields that it may read. */
export function detailsFor(request: number, conflict: Conflict, seen: Seen | undefined): JsonObject {
  const conflicts = conflictsOf(request, conflict, seen);
  const { base, conflicts_total: total, merged } = conflict.details;
  if (!seen) return { conflicts };
  const shown = Object.entries(isJsonObject(merged) ? merged : {}).filter(([name]) => seen.fields.has(name));
  return { base, conflicts, conflicts_total: total, merged: Object.fromEntries(shown) };
}
