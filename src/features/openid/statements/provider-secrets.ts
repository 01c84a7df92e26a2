import type { Queryable } from '#core';

/** The encrypted secret of a provider; undefined when it has none. */
export async function findProviderSecret(db: Queryable, provider: string): Promise<string | undefined> {
  const text = 'select secret from login_provider_secret where provider = $1';
  return (await db.query<{ secret: string }>({ text, values: [provider] }))[0]?.secret;
}

/** The ids of the providers that have a secret. */
export async function providersWithSecret(db: Queryable): Promise<Set<string>> {
  const rows = await db.query<{ provider: string }>({ text: 'select provider from login_provider_secret' });
  return new Set(rows.map(({ provider }) => provider));
}

/** Stores the encrypted secret of a provider; null removes it. */
export async function keepProviderSecret(tx: Queryable, provider: string, secret: string | null): Promise<void> {
  await tx.query(
    secret === null
      ? { text: 'delete from login_provider_secret where provider = $1', values: [provider] }
      : {
          text: `insert into login_provider_secret (provider, secret) values ($1, $2)
            on conflict (provider) do update set secret = excluded.secret`,
          values: [provider, secret],
        },
  );
}
