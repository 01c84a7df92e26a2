import { vi } from 'vitest';
import { saidOf } from '../site-export/same-tables.ts';
import type { Json, TestSite } from '../support/site.ts';

/** Tables that change by themselves while a site is open. */
const RESTLESS = new Set(['visitor_request', 'job', 'access_token_use', 'account_login', 'issued_token', 'model_use']);

/** Waits until the words of all files are in the search: later they would differ from those of a backup. */
export async function readFiles({ kernel }: TestSite): Promise<void> {
  const waiting = () => kernel.db.query({ text: `select hash from file_text where state = 'waiting'` });
  await vi.waitUntil(async () => (await waiting()).length === 0, { timeout: 60_000, interval: 100 });
}

/** All rows of a site but those that belong to one database. */
export async function rowsOf({ kernel }: TestSite): Promise<Record<string, string[]>> {
  const tables: Record<string, string[]> = {};
  for (const table of saidOf(kernel)) {
    if (('local' in table && table.local) || RESTLESS.has(table.name) || table.name === 'feature_migration') continue;
    const rows = await kernel.db.query<{ row: string }>({
      text: `select to_jsonb(t)::text as row from "${table.name}" t order by 1`,
    });
    tables[table.name] = rows.map(({ row }) => row);
  }
  return tables;
}

/** Every object as it is served, without the address of the server. */
export async function objectsOf(site: TestSite): Promise<Json> {
  const { text } = await site.request('GET', '/@search?fullobjects=1&b_size=500&sort_on=path');
  return JSON.parse(text.replaceAll(site.url, 'http://site'));
}

/** The id of the backup in what the command has printed. */
export const idOf = (out: string): string => JSON.parse(out).id;
