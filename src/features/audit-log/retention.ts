import type { BackgroundWork, JobAction, Kernel } from '#core';
import { untilFewer } from '#lib/batches';
import { repeatWork } from '#lib/process/repeat-work';
import { HOUR_MS } from '#lib/time/milliseconds';
import { auditLogSince } from './panel.ts';
import { pruneEntries } from './statements/entries.ts';

/** Milliseconds between two rounds of a process that serves the site. */
const INTERVAL_MS = HOUR_MS;
/** Entries that one statement removes. */
const BATCH = 1000;

/** Removes entries older than the retention of the site, in batches. Returns their number. */
async function pruneAuditLog({ db, sites }: Pick<Kernel, 'db' | 'sites'>, signal: AbortSignal): Promise<number> {
  const before = auditLogSince(await sites.current());
  if (before === undefined) return 0;
  return untilFewer(BATCH, () => {
    signal.throwIfAborted();
    return pruneEntries(db, before, BATCH);
  });
}

/** Each process prunes by itself, too; the job reports the result. */
export const pruneAuditLogAction: JobAction = {
  name: 'prune-audit-log',
  title: 'Remove old entries of the audit log',
  description: 'Removes the entries that the setting "days" of the panel "audit-log" does not keep.',
  schema: { fieldsets: [{ id: 'default', title: 'Default', fields: [] }], properties: {}, required: [] },
  exclusive: true,
  run: async ({ kernel, signal }) => ({ entries: await pruneAuditLog(kernel, signal) }),
};

/** Removes old entries from time to time until it is closed. */
export const startPruning = async (kernel: Kernel): Promise<BackgroundWork> =>
  repeatWork((signal) => pruneAuditLog(kernel, signal), {
    intervalMs: INTERVAL_MS,
    onError: (error) => kernel.log.error({ err: error }, 'old entries of the audit log could not be removed'),
  });
