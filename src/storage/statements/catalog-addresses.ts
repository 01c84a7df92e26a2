import type { Queryable } from '../database.ts';

/** UIDs and paths of the objects that have one of the UIDs or lie at one of the paths. */
export const catalogAddresses = (
  db: Queryable,
  uids: readonly string[],
  paths: readonly string[],
): Promise<{ uid: string; path: string }[]> =>
  db.query({
    name: 'catalog-addresses',
    text: 'select uid, path from content where uid = any($1) union select uid, path from content where path = any($2)',
    values: [uids, paths],
  });
