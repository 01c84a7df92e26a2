import { locatedVersion } from '../../content/version-located.ts';
import { versionNumber } from '../../content/version-number.ts';
import { NotFound } from '../../lib/errors.ts';
import type { Located } from '../../storage/content-row.ts';
import type { Call } from '../service.ts';

/** The object of a call as it was in a version. Throws NotFound for what is no number, or of no version of it. */
export async function needVersion({ db, site, located }: Call, version: unknown): Promise<Located> {
  const number = versionNumber(version);
  const found = number === undefined ? undefined : await locatedVersion(db, site, located, number);
  if (found) return found;
  const { path } = located.object;
  throw new NotFound(`${path === '/' ? '' : path}/@history/${version}`);
}
