import { reject } from '../../content/permissions.ts';
import { requestedVersion } from '../../content/versions.ts';
import type { RequestContext } from '../service.ts';
import { mayReadVersions } from './may-read-versions.ts';
import { requireVersion } from './need-version.ts';

/**
 * A call on the version of the object that its query asks for; the call itself when it asks for none. Throws Unauthorized
 * or Forbidden for those who may not read versions, BadRequest and NotFound for versions that there are not.
 */
export async function atRequestedVersion(context: RequestContext): Promise<RequestContext> {
  const version = requestedVersion(context.searchParams);
  if (version === undefined) return context;
  if (!mayReadVersions(context)) reject(context.caller);
  return { ...context, resolved: await requireVersion(context, version) };
}
