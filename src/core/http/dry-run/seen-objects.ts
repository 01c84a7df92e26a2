import { ClientError } from '../../../lib/errors.ts';
import { isJsonObject, type JsonObject } from '../../../lib/json-object.ts';
import { locate } from '../../content/locate.ts';
import { pathsOf } from '../../content/statements/content-rows.ts';
import { parseRenderOptions } from '../../serializer/query-parameters.ts';
import type { RequestContext } from '../../services/service.ts';
import { authorise, placeOf } from '../requested-service.ts';

/** An object as the caller sees it: its path, its UID and its representation, which objects beyond `MAX_WHOLE` lack. */
export type SeenObject = { path: string; uid: string; json?: JsonObject };

/** Maximum number of objects whose representations are compared; changes of further objects are only described in words. */
const MAX_WHOLE = 100;

const NO_PARAMETERS = new URLSearchParams();

/** The object at a path for the caller, with its representation if it is `whole`; undefined when no object that the caller may view is there. */
async function seenAt(context: RequestContext, path: string, whole: boolean): Promise<SeenObject | undefined> {
  const lookup = await locate(context.kernel, path);
  const { site, resolved } = lookup;
  if (!resolved) return undefined;
  const service = context.services.find('GET', '', placeOf(site, resolved), []);
  if (!service) return undefined;
  const options = { ...parseRenderOptions(NO_PARAMETERS), searchParams: NO_PARAMETERS };
  const reading = { ...context, ...options, site, lookup, resolved, rest: [], params: {}, query: {}, body: {} };
  try {
    await authorise(service, reading);
    if (!whole) return { path, uid: resolved.object.uid };
    const { status, body } = await service.run(reading);
    return status === 200 && isJsonObject(body) ? { path, uid: resolved.object.uid, json: body } : undefined;
  } catch (error) {
    if (error instanceof ClientError) return undefined;
    throw error;
  }
}

/** Some objects as the caller sees them at present, by their numbers, without hidden and absent objects. */
export async function seenObjects(
  context: RequestContext,
  oids: readonly number[],
): Promise<ReadonlyMap<number, SeenObject>> {
  const seen = new Map<number, SeenObject>();
  const whole = new Set(oids.slice(0, MAX_WHOLE));
  for (const [oid, path] of await pathsOf(context.kernel.db, oids)) {
    const object = await seenAt(context, path, whole.has(oid));
    if (object) seen.set(oid, object);
  }
  return seen;
}
