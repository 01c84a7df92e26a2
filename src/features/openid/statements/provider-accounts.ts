import type { Queryable } from '#core';

/** The account of a subject of a provider, with the values of its last login. */
export type ProviderAccount = { account: string; roles: string[]; groups: string[] };

/** The account of a subject; undefined when it has no account. */
export async function findProviderAccount(
  db: Queryable,
  issuer: string,
  subject: string,
): Promise<ProviderAccount | undefined> {
  const text = 'select account, roles, groups from provider_account where issuer = $1 and subject = $2';
  return (await db.query<ProviderAccount>({ text, values: [issuer, subject] }))[0];
}

/** Stores the account of a subject, with the roles and groups from its claims. */
export async function keepProviderAccount(
  tx: Queryable,
  { issuer, subject, account, roles, groups }: ProviderAccount & { issuer: string; subject: string },
): Promise<void> {
  await tx.query({
    text: `insert into provider_account (issuer, subject, account, roles, groups) values ($1, $2, $3, $4, $5)
      on conflict (issuer, subject) do update set roles = excluded.roles, groups = excluded.groups`,
    values: [issuer, subject, account, roles, groups],
  });
}

/** The accounts with an e-mail address, in upper or lower case; at most two: an address of several accounts identifies no user. */
export async function accountsByEmail(db: Queryable, email: string): Promise<string[]> {
  const text = 'select id from account where lower(email) = lower($1) limit 2';
  return (await db.query<{ id: string }>({ text, values: [email] })).map(({ id }) => id);
}

/** An account with a provider that a user logs in with. */
export type LinkedAccount = ProviderAccount & { issuer: string; subject: string };

/** The linked accounts of a user; no user has many. */
export const linkedAccounts = (db: Queryable, account: string): Promise<LinkedAccount[]> =>
  db.query<LinkedAccount>({
    text: `select issuer, subject, account, roles, groups from provider_account where account = $1
      order by issuer, subject limit 100`,
    values: [account],
  });

/** Removes the link of a subject with an account. */
export async function removeProviderAccount(
  tx: Queryable,
  { issuer, subject }: Pick<LinkedAccount, 'issuer' | 'subject'>,
): Promise<void> {
  await tx.query({
    text: 'delete from provider_account where issuer = $1 and subject = $2',
    values: [issuer, subject],
  });
}
