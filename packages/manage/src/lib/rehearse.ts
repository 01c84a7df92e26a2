/** Writes that are tried before they are done. */

import { ask } from './site.ts';

type Change = {
  type: string;
  path?: string;
  /** Of content, addresses and the set-up: the change in words, in the language of the page. */
  text?: string;
  address?: string;
  table?: string;
  inserted?: number;
  updated?: number;
  removed?: number;
};

export type Rehearsal = { changes: readonly Change[]; more_changes?: number };

/** Has the site do a write and undo it. Returns what it would change. */
export const rehearse = <Result = unknown>(
  method: string,
  service: string,
  body: unknown,
): Promise<Result & Rehearsal> => ask<Result & Rehearsal>(method, service, { body, query: { dry_run: 1 } });

/** The number of rows of a table that a write would change. */
export function rowsOf({ changes }: Rehearsal, table: string): number {
  const rows = changes.find((change) => change.type === 'rows' && change.table === table);
  return (rows?.inserted ?? 0) + (rows?.updated ?? 0) + (rows?.removed ?? 0);
}
