import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Kernel } from '../../src/core/kernel/kernel.ts';
import { ALL_FIELDS } from '../../src/core/search/statements/fragments.ts';
import type { Database } from '../../src/database/database.ts';
import type { ImportProblem } from '../../src/features/import/import-report.ts';
import { type ImportOptions, importSite } from '../../src/features/import/import-site.ts';
import type { ImportSummary } from '../../src/features/import/import-summary.ts';
import type { Engine } from '../support/engines.ts';
import { createTestKernel } from '../support/site.ts';

const SILENT = () => ({ tick: () => {}, done: () => {} });

/** Creates a site for one test and removes it afterwards. */
export async function freshSite(engine: Engine, options: { wrap?: (db: Database) => Database; profile?: string } = {}) {
  const site = await createTestKernel(engine, options);
  onTestFinished(() => site.close());
  return site;
}

/** Imports without showing progress. */
export const run = (kernel: Kernel, directory: string, options: Partial<ImportOptions> = {}): Promise<ImportSummary> =>
  importSite(kernel, { directory, progress: SILENT, ...options });

/** The lines of the file of a report. */
export async function linesOf(reportFile: string): Promise<ImportProblem[]> {
  const report: { lines: ImportProblem[] } = JSON.parse(await readFile(reportFile, 'utf8'));
  return report.lines;
}

/** Imports and returns all that the report says, whatever its length. */
export async function reportOf(kernel: Kernel, directory: string): Promise<ImportProblem[]> {
  const folder = await mkdtemp(join(tmpdir(), 'canopy-report-'));
  try {
    const reportFile = join(folder, 'report.json');
    await run(kernel, directory, { reportFile });
    return await linesOf(reportFile);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the messages of all problems, each after its path. */
export const messages = ({ problems }: ImportSummary): string[] =>
  problems.map(({ path, message }) => `${path ?? ''} ${message}`);

/** A stored object. */
export type Stored = {
  oid: number;
  uid: string;
  path: string;
  type: string;
  state: string | null;
  owner: string;
  language: string | null;
  layout: string | null;
  created: Date;
  modified: Date;
  effective: Date | null;
  expires: Date | null;
  roles: Record<string, string[]>;
  inherits: boolean;
  permissions: unknown;
  constrains: unknown;
  page: string | null;
  translations: string | null;
  fields: Record<string, unknown>;
  allowed: string[];
};

/** Returns all objects by their paths. Throws when one has no row in the catalog. */
export async function stored(kernel: Kernel): Promise<Map<string, Stored>> {
  const rows = await kernel.db.query<Stored>({
    text: `select c.oid, uid, path, type, review_state as state, owner, language, layout, created, modified, effective, expires,
      local_roles as roles, inherit_roles as inherits, local_permissions as permissions, constrains, default_page as page,
      translation_group as translations, ${ALL_FIELDS}, k.allowed
      from content c left join catalog k using (oid) order by path`,
  });
  const bare = rows.find(({ allowed }) => allowed === null);
  if (bare) throw new Error(`${bare.path} is not in the catalog`);
  return new Map(rows.map((row) => [row.path, row]));
}

/** Returns the ids of the children of a container in their order. */
export async function childrenOf(kernel: Kernel, path: string): Promise<string[]> {
  const rows = await kernel.db.query<{ name: string }>({
    text: `select c.name from content c join content p on p.oid = c.parent where p.path = $1 order by c.position, c.oid`,
    values: [path],
  });
  return rows.map(({ name }) => name);
}

/** Returns the number of rows of every table with data of users. */
export async function rowCounts(kernel: Kernel): Promise<Record<string, number>> {
  const tables = [
    ...['content', 'catalog', 'reference', 'redirect', 'workflow_history', 'comment', 'account', 'principal_group'],
    ...['group_member', 'configuration', 'import_progress'],
  ];
  const counts = tables.map((table) => `select '${table}' as name, count(*)::int as count from ${table}`);
  const rows = await kernel.db.query<{ name: string; count: number }>({ text: counts.join(' union all ') });
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

/** Returns the names of all files below a folder. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
