import { resolvedVersion, versionNumber } from '../../content/versions.ts';
import { NotFound } from '../../lib/errors.ts';
import type { ResolvedNode } from '../../storage/content-row.ts';
import type { RequestContext } from '../service.ts';

/** The object of a call as it was in a version. Throws NotFound for what is no number, or of no version of it. */
export async function requireVersion({ db, site, resolved }: RequestContext, version: unknown): Promise<ResolvedNode> {
  const number = versionNumber(version);
  const found = number === undefined ? undefined : await resolvedVersion(db, site, resolved, number);
  if (found) return found;
  const { path } = resolved.object;
  throw new NotFound(`${path === '/' ? '' : path}/@history/${version}`);
}
