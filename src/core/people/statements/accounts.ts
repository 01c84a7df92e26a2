import type { Queryable } from '../../../database/database.ts';
import { hasRows } from '../../../database/rows.ts';
import { TOKEN_VERSIONS, type TokenVersions } from './tokens.ts';

/** The group of all accounts, which has no stored members. */
const EVERYBODY = 'AuthenticatedUsers';

/** An account with all its groups, nested ones included, all its roles, and the versions that decide about its tokens. */
export type AccountRow = TokenVersions & {
  id: string;
  login: string;
  fullname: string;
  email: string;
  password: string | null;
  created: Date;
  tokens_valid_from: Date;
  /** The language that the user has chosen; null for none. */
  language: string | null;
  /** The time zone that the user has chosen; null for none. */
  timezone: string | null;
  /** The second factor that the user has set up; null for none. */
  second_factor: string | null;
  groups: string[];
  roles: string[];
};

// `union` without `all` drops rows that exist already, which ends the recursion in a cycle of groups.
function accountQuery(column: 'id' | 'login'): string {
  return `with recursive subject as (select * from account where ${column} = $1 and disabled is null),
    membership (group_id) as (
      (select '${EVERYBODY}'::text from subject
       union select m.group_id from group_member m join subject s on m.member_id = s.id where not m.is_group)
      union
      select m.group_id from group_member m join membership g on m.member_id = g.group_id where m.is_group
    ),
    granted (role) as (
      select unnest(roles) from subject
      union select unnest(g.roles) from principal_group g join membership m on m.group_id = g.id
    )
    select id, login, fullname, email, password, created, tokens_valid_from, second_factor,
      properties->>'language' as language, properties->>'timezone' as timezone,
      array(select group_id from membership order by group_id) as groups,
      array(select role from granted order by role) as roles, ${TOKEN_VERSIONS}
    from subject`;
}

const BY_ID = accountQuery('id');
const BY_LOGIN = accountQuery('login');

/** The account with this id; undefined for unknown and disabled users. Runs one statement. */
export async function accountById(db: Queryable, id: string): Promise<AccountRow | undefined> {
  return (await db.query<AccountRow>({ name: 'account-by-id', text: BY_ID, values: [id], reads: true }))[0];
}

/** The account with this login name, in which upper and lower case differ; undefined for unknown and disabled users. */
export async function accountByLogin(db: Queryable, login: string): Promise<AccountRow | undefined> {
  return (await db.query<AccountRow>({ name: 'account-by-login', text: BY_LOGIN, values: [login], reads: true }))[0];
}

/**
 * Stores the hash of a new password. All tokens from before `at`, the time of the change, become invalid, also when the clock was set back since they
 * were issued. Hash the password before opening the transaction, because hashing takes long. Returns false for an unknown user.
 */
export const setPassword = (db: Queryable, id: string, hash: string, at: Date): Promise<boolean> =>
  hasRows(db, {
    text: `with changed as (
          update account set password = $2, tokens_valid_from = greatest($3, tokens_valid_from + interval '1 ms')
          where id = $1 returning id),
        revoked as (delete from issued_token where account in (select id from changed))
      select id from changed`,
    values: [id, hash, at],
  });

/**
 * Replaces a hash by a better one of the same password; tokens stay valid. Does nothing when the password has been changed in the meantime, because
 * the new password must stay.
 */
export async function replaceHash(db: Queryable, id: string, from: string, to: string): Promise<void> {
  await db.query({ text: 'update account set password = $3 where id = $1 and password = $2', values: [id, from, to] });
}

/** Says if the database has a site; an empty database, without tables, has no site. */
export async function hasSite(db: Queryable): Promise<boolean> {
  const [schema] = await db.query<{ present: boolean }>({
    text: `select to_regclass('content') is not null as present`,
  });
  return (
    schema?.present === true && (await db.query({ text: 'select 1 from content where parent is null' })).length > 0
  );
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

/** Any fixed number that no other program in the same database is likely to use. */
const SETUP_LOCK = 4_072_026_002;

/** Waits for any other process that is setting up the site; held until the transaction ends. */
export async function lockSetup(db: Queryable): Promise<void> {
  await db.query({ text: 'select pg_advisory_xact_lock($1)', values: [SETUP_LOCK] });
}
