import type { Queryable } from '../database.ts';

/** One piece of the site's configuration, such as a type or the values of a control panel. */
export type ConfigurationRow = { kind: string; id: string; position: number; data: unknown };

/** The whole configuration in order, with its version. One statement. */
export async function readConfiguration(db: Queryable): Promise<{ version: string; rows: ConfigurationRow[] }> {
  const rows = await db.query<ConfigurationRow & { version: string }>({
    name: 'read-configuration',
    text: `select s.value as version, c.kind, c.id, c.position, c.data
      from site_state s left join configuration c on true where s.name = 'configuration' order by c.kind, c.position, c.id`,
  });
  return { version: rows[0]?.version ?? '0', rows: rows.filter((row) => row.kind !== null) };
}

/** The version of the configuration: it grows with every change of it. */
export async function configurationVersion(db: Queryable): Promise<string> {
  const rows = await db.query<{ value: string }>({
    name: 'configuration-version',
    text: `select value from site_state where name = 'configuration'`,
  });
  return rows[0]?.value ?? '0';
}

/** Writes pieces of configuration and raises the version; other processes are told when the transaction commits. */
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

/** The channel on which processes tell each other that the configuration has changed. */
export const CONFIGURATION_CHANNEL = 'canopy_configuration';

async function touchConfiguration(db: Queryable): Promise<void> {
  await db.query({ text: `update site_state set value = (value::bigint + 1)::text where name = 'configuration'` });
  await db.query({ text: 'select pg_notify($1, $2)', values: [CONFIGURATION_CHANNEL, ''] });
}
