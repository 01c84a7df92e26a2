import type { Queryable } from '#core';

/** The valid secrets of an owner, encrypted, the newest first. */
export async function findSecrets(db: Queryable, owner: string): Promise<string[]> {
  const rows = await db.query<{ sealed: string }>({
    name: 'webhook-secrets',
    text: 'select sealed from webhook_secret where owner = $1 and (until is null or until > now()) order by id desc',
    values: [owner],
    reads: true,
  });
  return rows.map(({ sealed }) => sealed);
}

/** Adds a secret. The former secret stays valid for `overlapHours`; older secrets are removed. */
export async function addSecret(
  db: Queryable,
  { owner, sealed, overlapHours }: { owner: string; sealed: string; overlapHours: number },
): Promise<void> {
  await db.query({
    text: 'delete from webhook_secret where owner = $1 and (until is not null or $2::float8 = 0)',
    values: [owner, overlapHours],
  });
  await db.query({
    text: `with ended as (
        update webhook_secret set until = now() + make_interval(secs => $3::float8 * 3600) where owner = $1 and until is null
      )
      insert into webhook_secret (owner, sealed) values ($1, $2)`,
    values: [owner, sealed, overlapHours],
  });
}

/** Removes the secrets of an owner. */
export async function removeSecrets(db: Queryable, owner: string): Promise<void> {
  await db.query({ text: 'delete from webhook_secret where owner = $1', values: [owner] });
}
