import type { Queryable } from '../database.ts';

/** Whether the database has a site already. */
export async function hasSite(db: Queryable): Promise<boolean> {
  return (await db.query({ text: 'select 1 from content where parent is null' })).length > 0;
}

/** Makes the first account of a site, a Manager. */
export async function insertFirstAccount(
  db: Queryable,
  { id, password }: { id: string; password: string },
): Promise<void> {
  await db.query({
    text: `insert into account (id, login, password, fullname, roles) values ($1, $1, $2, 'Administrator', '{Manager,Member}')`,
    values: [id, password],
  });
}

/** Makes the groups of a profile. */
export async function insertGroups(
  db: Queryable,
  groups: { id: string; title: string; description: string; roles: string[] }[],
): Promise<void> {
  for (const { id, title, description, roles } of groups) {
    await db.query({
      text: 'insert into principal_group (id, title, description, roles) values ($1, $2, $3, $4) on conflict do nothing',
      values: [id, title, description, roles],
    });
  }
}

/** Any fixed number that no other program in the same database is likely to use. */
const SETUP_LOCK = 4_072_026_002;

/** Waits for any other process that is setting up the site; held until the transaction ends. */
export async function lockSetup(db: Queryable): Promise<void> {
  await db.query({ text: 'select pg_advisory_xact_lock($1)', values: [SETUP_LOCK] });
}
