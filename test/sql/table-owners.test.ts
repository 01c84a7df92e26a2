import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { FEATURES } from '../../src/app/features.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Rooms and features that write a table of another one, with the reason. Everybody else calls a function of the owner. */
const OTHER_WRITERS: Record<string, string> = {
  'core/content writes version of features/history':
    'the statement that moves objects to other states keeps the dates that their last versions had',
  'core/queue writes job of features/jobs':
    'the statement that notes new files in the catalog has them read by a job, without another one',
  'database writes site_state of core/configuration':
    'a primary notes which server it is, for replicas that know nothing of the site',
};

/** Files with statements for a table that is named elsewhere, with the reason. */
const TABLES_BY_NAME: Record<string, string> = {
  'src/core/profiles/statements/installed-profile.ts': 'two tables of its own have the same columns',
  'src/database/migrate.ts': 'the migrations of the program and those of packages are listed in two tables',
  'src/database/single-text.ts': 'tables of one text belong to those that ask for theirs',
  'src/features/backup/statements/load.ts': 'rows come from a backup as they were, also those of packages',
  'src/features/recycle-bin/statements/restore.ts': 'rows come back as they were, also those of packages',
  'src/features/site-export/statements/insert.ts': 'rows come from an export as they were, also those of packages',
  'src/features/site-export/statements/part.ts': 'rows come from an export of a part, also those of packages',
};

const WRITE = /\b(?:insert into|update|delete from|merge into|truncate(?: table)?) (?:only )?(\w+|\$\{)/g;

/** The room of the core, the feature, or the layer that a file belongs to. */
function ownerOf(path: string): string {
  const [, layer = '', room = ''] = path.split('/');
  return layer === 'core' || layer === 'features' ? `${layer}/${room}` : layer;
}

type Write = { path: string; owner: string; table: string };

const writes: Write[] = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .flatMap((name) => {
    const path = `src/${name}`;
    const found = readFileSync(join(ROOT, path), 'utf8').matchAll(WRITE);
    return [...found].map(([, table = '']) => ({ path, owner: ownerOf(path), table }));
  });

/** The tables of the database, each with the feature that declares it: the core declares those of its rooms and of the layers below. */
const declared = new Map(
  FEATURES.flatMap(({ name, tables = [] }) => tables.map((table) => [table.name, name] as const)),
);

const writersOf = (table: string): string[] => [
  ...new Set(writes.filter((write) => write.table === table).map(({ owner }) => owner)),
];

/** True for places where the feature that declares a table has its statements. */
const isDeclaredAt = (place: string, feature: string | undefined): boolean =>
  feature === 'core' ? !place.startsWith('features/') : place === `features/${feature}`;

/** The lists of applied migrations: the program makes them itself, that of packages when one of these has migrations. */
const LISTS_OF_MIGRATIONS = ['schema_migration', 'feature_migration'];

/** The tables that the migrations make; a test of the schema compares the file with a database. */
const made = [...readFileSync(join(ROOT, 'migrations/schema.sql'), 'utf8').matchAll(/^table (\w+) \(/gm)].map(
  ([, table = '']) => table,
);

describe('tables', () => {
  it('each table that the migrations make is declared by exactly one feature, and no other one is', () => {
    const names = FEATURES.flatMap(({ tables = [] }) => tables.map(({ name }) => name));
    const others = (tables: readonly string[]) => tables.filter((table) => !LISTS_OF_MIGRATIONS.includes(table)).sort();
    expect(others(names)).toEqual(others(made));
  });

  it('each table is written by the room or feature that it belongs to, except for the listed reasons', () => {
    const others = [...declared].flatMap(([table, feature]) => {
      const writers = writersOf(table);
      const own = writers.filter((place) => isDeclaredAt(place, feature));
      // Code below the rooms of the core serves their tables and owns none.
      const owner = own.find((place) => place.startsWith('core/')) ?? own[0];
      return writers.filter((place) => place !== owner).map((place) => `${place} writes ${table} of ${owner}`);
    });
    expect(others.sort()).toEqual(Object.keys(OTHER_WRITERS));
  });

  it('statements for tables that are named elsewhere stand in the listed files only', () => {
    const files = new Set(writes.filter(({ table }) => table === '${').map(({ path }) => path));
    expect([...files].sort()).toEqual(Object.keys(TABLES_BY_NAME));
  });
});
