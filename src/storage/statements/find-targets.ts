import type { TreeNode } from '../content-row.ts';
import type { Queryable } from '../database.ts';
import { LISTED_COLUMNS } from './nav-columns.ts';

/** An object that others refer to: enough for a summary, and who may view it. */
export type TargetRow = TreeNode & {
  effective: Date | null;
  created: Date;
  modified: Date;
  expires: Date | null;
  allowed: string[];
  /** The fields without blocks and rich text. */
  fields: Record<string, unknown>;
};

const SELECT = `select ${LISTED_COLUMNS}, k.allowed
  from content c join catalog k using (oid)`;

/** The objects with the given UIDs, in no order. */
export const findTargets = (db: Queryable, uids: string[]): Promise<TargetRow[]> =>
  db.query<TargetRow>({ name: 'find-targets', text: `${SELECT} where c.uid = any($1)`, values: [uids] });

/**
 * UIDs behind references of any form: for each of `uids` and `paths` that exists, and for paths
 * that are old addresses of an object, `{reference, uid}`. Present addresses win over old ones.
 */
export const resolveReferences = (
  db: Queryable,
  uids: string[],
  paths: string[],
): Promise<{ reference: string; uid: string }[]> =>
  db.query({
    name: 'resolve-references',
    text: `select c.uid as reference, c.uid from content c where c.uid = any($1)
      union all select c.path, c.uid from content c where c.path = any($2)
      union all select r.path, c.uid from redirect r join content c on c.oid = r.target
        where r.path = any($2) and not exists (select 1 from content p where p.path = r.path)`,
    values: [uids, paths],
  });
