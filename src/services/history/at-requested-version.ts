import { refuse } from '../../content/permissions.ts';
import { requestedVersion } from '../../content/version-number.ts';
import type { Call } from '../service.ts';
import { mayReadVersions } from './may-read-versions.ts';
import { needVersion } from './need-version.ts';

/**
 * A call on the version of the object that its query asks for; the call itself when it asks for none. Throws Unauthorized
 * or Forbidden for those who may not read versions, BadRequest and NotFound for versions that there are not.
 */
export async function atRequestedVersion(call: Call): Promise<Call> {
  const version = requestedVersion(call.query);
  if (version === undefined) return call;
  if (!mayReadVersions(call)) refuse(call.caller);
  return { ...call, located: await needVersion(call, version) };
}
