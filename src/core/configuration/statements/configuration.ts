import type { Queryable } from '../../../database/database.ts';

/** One piece of the site's configuration, such as a type or the values of a control panel. */
export type ConfigurationRow = { kind: string; id: string; position: number; data: unknown };

/** The whole configuration in order, with its version. One statement. */
export async function loadConfiguration(db: Queryable): Promise<{ version: string; rows: ConfigurationRow[] }> {
  const rows = await db.query<ConfigurationRow & { version: string }>({
    name: 'read-configuration',
    reads: true,
    text: `select s.value as version, c.kind, c.id, c.position, c.data
      from site_state s left join configuration c on true where s.name = 'configuration' order by c.kind, c.position, c.id`,
  });
  return { version: rows[0]?.version ?? '0', rows: rows.filter((row) => row.kind !== null) };
}

/** The version of the configuration, which grows with every change. */
export async function configurationVersion(db: Queryable): Promise<string> {
  const rows = await db.query<{ value: string }>({
    name: 'configuration-version',
    reads: true,
    text: `select value from site_state where name = 'configuration'`,
  });
  return rows[0]?.value ?? '0';
}

/** Writes pieces of configuration and raises the version; other processes are notified when the transaction commits. */
export async function writeConfiguration(db: Queryable, rows: ConfigurationRow[]): Promise<void> {
  await db.query({
    text: `insert into configuration (kind, id, position, data)
      select kind, id, position, data::jsonb from unnest($1::text[], $2::text[], $3::int[], $4::text[]) n(kind, id, position, data)
      on conflict (kind, id) do update set position = excluded.position, data = excluded.data`,
    values: [
      rows.map((r) => r.kind),
      rows.map((r) => r.id),
      rows.map((r) => r.position),
      rows.map((r) => JSON.stringify(r.data)),
    ],
  });
  await touchConfiguration(db);
}

/** The channel of notifications between processes that the configuration has changed. */
export const CONFIGURATION_CHANNEL = 'canopy_configuration';

async function touchConfiguration(db: Queryable): Promise<void> {
  await db.query({ text: `update site_state set value = (value::bigint + 1)::text where name = 'configuration'` });
  await db.query({ text: 'select pg_notify($1, $2)', values: [CONFIGURATION_CHANNEL, ''] });
}

/**
 * Locks the configuration against other changes until the transaction ends, for changes that depend on it. Returns its version, at which it stays.
 * Writes of content lock their paths first.
 */
export async function lockConfiguration(tx: Queryable): Promise<string> {
  const [state] = await tx.query<{ value: string }>({
    name: 'hold-configuration',
    text: `select value from site_state where name = 'configuration' for update`,
  });
  if (!state) throw new Error('The site has no configuration');
  return state.value;
}

/** Removes pieces of the configuration. The caller raises the version with `writeConfiguration`. */
export async function removeConfiguration(tx: Queryable, rows: { kind: string; id: string }[]): Promise<void> {
  await tx.query({
    name: 'remove-configuration',
    text: `delete from configuration c using unnest($1::text[], $2::text[]) gone(kind, id)
      where c.kind = gone.kind and c.id = gone.id`,
    values: [rows.map(({ kind }) => kind), rows.map(({ id }) => id)],
  });
}

/** A value of the site as a whole, such as its profile or the version of the profile. */
export async function loadState(db: Queryable, name: string): Promise<string | undefined> {
  const rows = await db.query<{ value: string }>({
    text: 'select value from site_state where name = $1',
    values: [name],
  });
  return rows[0]?.value;
}

export async function writeState(db: Queryable, name: string, value: string): Promise<void> {
  await db.query({
    text: 'insert into site_state values ($1, $2) on conflict (name) do update set value = excluded.value',
    values: [name, value],
  });
}

/** Makes the version of the configuration grow, because processes go on using the configuration of a version that they have loaded. */
export async function raiseConfigurationVersion(tx: Queryable, before: string): Promise<void> {
  await tx.query({
    text: `update site_state set value = greatest(value::bigint, $1::bigint)::text where name = 'configuration'`,
    values: [before],
  });
}
