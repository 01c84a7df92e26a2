import type { Kernel } from '../../src/core/kernel/kernel.ts';
import type { KeptTable, SiteTable } from '../../src/core/kernel/site-tables.ts';
import { openSecretBox } from '../../src/core/people/secret-box.ts';
import { KERNEL_FEATURES } from '../../src/core/services/feature.ts';
import { isKept, loadTables } from '../../src/features/site-export/tables.ts';
import { placeOfSecret } from '../../src/features/webhooks/secrets.ts';

type Stored = Record<string, unknown>;

/** Tables that stay behind and are made anew of what comes along, so that they must be equal all the same. */
const MADE_ANEW = ['catalog', 'catalog_value'];

/** Tables whose rows are compared in another form than the stored one. Rows for which a function returns undefined are left out. */
const DIFFERENT: Record<string, (kernel: Kernel, row: Stored) => Promise<Stored | undefined>> = {
  // The version of the configuration goes on growing, so that no process uses its cache of the old site.
  site_state: async (_kernel, row) => (row.name === 'configuration' ? undefined : row),
  // Each site encrypts with a key of its own: the secrets themselves are compared.
  cache_purge_token: async ({ db, config }, row) => {
    const box = await openSecretBox(db, config.secretsKeys);
    return { ...row, secret: box.open(String(row.secret), `cache-purge:${row.id}`) };
  },
  totp: async ({ db, config }, row) => {
    const box = await openSecretBox(db, config.secretsKeys);
    return { ...row, secret: box.open(String(row.secret), `totp:${row.account}`) };
  },
  webhook_secret: async ({ db, config }, row) => {
    const box = await openSecretBox(db, config.secretsKeys);
    return { ...row, sealed: box.open(String(row.sealed), placeOfSecret(String(row.owner))) };
  },
  login_provider_secret: async ({ db, config }, row) => {
    const box = await openSecretBox(db, config.secretsKeys);
    return { ...row, secret: box.open(String(row.secret), `login-provider:${row.provider}`) };
  },
};

async function rowsOf(kernel: Kernel, name: string, table?: KeptTable): Promise<Stored[]> {
  const rows = await kernel.db.query<{ row: Stored }>({ text: `select to_jsonb(t) as row from "${name}" t` });
  const kept: Stored[] = [];
  for (const { row } of rows) {
    for (const column of Object.keys(table?.emptied ?? {})) row[column] = null;
    const compared = DIFFERENT[name] ? await DIFFERENT[name](kernel, row) : row;
    if (compared) kept.push(compared);
  }
  const texts = kept.map((row): [string, Stored] => [JSON.stringify(row, Object.keys(row).sort()), row]);
  return texts.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** Returns the tables that the features of a kernel declare. */
export const saidOf = ({ slots }: Pick<Kernel, 'slots'>): SiteTable[] =>
  slots.get(KERNEL_FEATURES).flatMap(({ tables = [] }) => tables);

/** Everything of a site that an export has to bring back, table by table; sequences included. */
export async function contentsOf(kernel: Kernel): Promise<Record<string, unknown>> {
  const contents: Record<string, unknown> = {};
  for (const table of saidOf(kernel).filter(isKept)) contents[table.name] = await rowsOf(kernel, table.name, table);
  for (const name of MADE_ANEW) contents[name] = await rowsOf(kernel, name);
  const { kept } = await loadTables(kernel, kernel.db);
  for (const { shape } of kept) {
    for (const { name } of shape.columns.filter(({ identity }) => identity)) {
      const [row] = await kernel.db.query<{ last: number | null }>({
        text: `select pg_sequence_last_value(pg_get_serial_sequence($1, $2)::regclass) as last`,
        values: [`"${shape.name}"`, name],
      });
      contents[`last ${shape.name}.${name}`] = row?.last ?? 0;
    }
  }
  return contents;
}

/** The tables that have rows. */
export const filled = (contents: Record<string, unknown>): string[] =>
  Object.entries(contents)
    .filter(([, rows]) => Array.isArray(rows) && rows.length > 0)
    .map(([name]) => name);
