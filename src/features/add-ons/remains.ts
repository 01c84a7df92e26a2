import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { configuration, type Feature, forgetMigrations, KERNEL_FEATURES } from '#core';
import { BadRequest } from '#lib/errors';
import { folderPath } from '#lib/process/process';
import { deleteJobsOf } from '../jobs/statements/scheduled-jobs.ts';
import type { AddonChange } from './addon-change.ts';
import {
  countRows,
  dropTables,
  functionsWith,
  hasMigrations,
  MAX_COUNTED,
  presentTables,
  scheduledJobsOf,
} from './statements/remains.ts';

type Table = { name: string; kind: 'table' | 'view'; rows: number };

/** The remains of an add-on's feature in the database after the add-on is uninstalled. */
type Remains = {
  /** Undefined when the configuration file does not name it. */
  feature: Feature | undefined;
  tables: Table[];
  scheduledJobs: string[];
  /** Panels with values on the site. */
  panels: string[];
  /** True if migrations of the feature were applied, but the feature, which says which tables they made, is missing. */
  isUnknown: boolean;
};

const CREATED =
  /\bcreate\s+(?:unlogged\s+)?(?:table|(?:or\s+replace\s+)?view)\s+(?:if\s+not\s+exists\s+)?"?([a-z_][a-z0-9_]*)/gi;

/** The tables and views that the migrations of a feature make, or that the feature declares. */
async function tablesOf({ migrations, tables = [] }: Feature): Promise<string[]> {
  // Only a feature with migrations of its own has tables of its own.
  if (migrations === undefined) return [];
  const folder = folderPath(migrations);
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql'));
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
  const made = texts.flatMap((text) => [...text.matchAll(CREATED)].flatMap(([, name]) => name?.toLowerCase() ?? []));
  return [...new Set([...made, ...tables.map(({ name }) => name)])];
}

/** Finds the remains of an add-on's feature, as the transaction sees them. */
export async function findRemains(change: AddonChange): Promise<Remains> {
  const { kernel, tx, id } = change;
  // An add-on in a folder may have the name of a feature that it does not belong to.
  const features = kernel.slots.get(KERNEL_FEATURES).filter(({ profile }) => profile !== undefined);
  const feature = features.find(({ name }) => name === id);
  if (!feature) {
    return { feature, tables: [], scheduledJobs: [], panels: [], isUnknown: await hasMigrations(tx, id) };
  }
  const tables: Table[] = [];
  for (const table of await presentTables(tx, await tablesOf(feature)))
    tables.push({ ...table, rows: table.kind === 'view' ? 0 : await countRows(tx, table.name) });
  const actions = (feature.jobActions ?? []).map(({ name }) => name);
  const { settings } = await kernel.sites.within(tx);
  return {
    feature,
    tables,
    scheduledJobs: (await scheduledJobsOf(tx, actions)).map((job) => job.id),
    panels: (feature.panels ?? []).map((panel) => panel.id).filter((panel) => settings.has(panel)),
    isUnknown: false,
  };
}

const rowsText = (rows: number): string =>
  rows > MAX_COUNTED ? `more than ${MAX_COUNTED} rows` : rows === 1 ? '1 row' : `${rows} rows`;

/** A line for each thing that is left, which says if it stays or goes. */
const linesOf = ({ tables, scheduledJobs, panels }: Remains, verb: 'Stays' | 'Removed'): string[] => [
  ...tables.map(({ name, kind, rows }) =>
    kind === 'view' ? `${verb}: the view ${name}.` : `${verb}: the table ${name}, with ${rowsText(rows)}.`,
  ),
  ...scheduledJobs.map((id) => `${verb}: the scheduled job "${id}".`),
  ...panels.map((id) => `${verb}: the values of the control panel "${id}".`),
];

const stillThere = (id: string): string =>
  `The feature "${id}" still serves what is code: services, control panels, kinds of fields, jobs. Take it out of "features" of the configuration file to end that.`;

/** The lines of a report on what stays. */
export function remainLines({ id }: AddonChange, remains: Remains): string[] {
  if (remains.isUnknown)
    return [
      `Tables that the feature "${id}" has made stay. Which they are is known while it is in "features" of the configuration file.`,
    ];
  const lines = linesOf(remains, 'Stays');
  if (lines.length > 0) lines.push(`"canopy addons uninstall ${id} --clean" removes what stays.`);
  return remains.feature ? [...lines, stillThere(id)] : lines;
}

/** Removes the remains, and returns the lines of the report. Throws BadRequest when the remains cannot be determined, or are needed. */
export async function cleanRemains({ tx, id }: AddonChange, remains: Remains): Promise<string[]> {
  const { feature, tables, panels } = remains;
  if (!feature) {
    if (!remains.isUnknown) return [`The add-on "${id}" has left nothing.`];
    throw new BadRequest(
      `Which tables are those of the feature "${id}" is known only while it is in "features" of the configuration file: put it back, clean up, and take it out then.`,
    );
  }
  const readers = await functionsWith(
    tx,
    tables.map(({ name }) => name),
  );
  if (readers.length > 0)
    throw new BadRequest(
      `Functions of the database use tables of this add-on: ${readers.map(({ name }) => name).join(', ')}. Drop them first, with the triggers that call them.`,
    );
  await dropTables(tx, tables);
  if (await hasMigrations(tx, id)) await forgetMigrations(tx, id);
  await deleteJobsOf(
    tx,
    (feature.jobActions ?? []).map(({ name }) => name),
  );
  await configuration.remove(
    tx,
    panels.map((panel) => ({ kind: configuration.KINDS.setting, id: panel })),
  );
  await configuration.write(tx, []);
  const lines = linesOf(remains, 'Removed');
  return [...(lines.length > 0 ? lines : [`The add-on "${id}" has left nothing.`]), stillThere(id)];
}
