import { definePanel, type JobAction, type Kernel, panelSettings, type Site, settings } from '#core';
import { untilFewer } from '#lib/batches';
import { DAY_MS, HOUR_MS } from '#lib/time/milliseconds';
import { pruneTransactionRows } from './statements/transactions.ts';

/** The retention of changes. */
export const transactionsPanel = definePanel({
  id: 'transactions',
  title: 'Transactions',
  group: 'Content',
  settings: [
    settings.whole('days', {
      title: 'Days to keep transactions',
      description: 'What is older can no longer be undone. 0 keeps them for ever.',
      default: 90,
      minimum: 0,
      maximum: 36_500,
      record: 'canopy.transactions.days',
    }),
  ],
});

/** Milliseconds between two prunings by one process. */
const PRUNE_INTERVAL_MS = HOUR_MS;
/** Transactions that one statement removes. */
const BATCH = 500;

/** The moment before which transactions are removed, by the setting `transactions.days`; undefined when they stay for ever. */
export function retainedSince(site: Site, now = Date.now()): Date | undefined {
  const { days } = panelSettings(site, transactionsPanel);
  return days === null || days === 0 ? undefined : new Date(now - days * DAY_MS);
}

/** Removes the transactions that exceed the retention of the site. Returns their number. */
async function pruneTransactions({ db, sites }: Pick<Kernel, 'db' | 'sites'>): Promise<number> {
  const before = retainedSince(await sites.current());
  if (before === undefined) return 0;
  return untilFewer(BATCH, () => pruneTransactionRows(db, before, BATCH));
}

/** Makes a function that prunes at most once in `PRUNE_INTERVAL_MS`, however often it is called. */
export function pruneNowAndThen(kernel: Pick<Kernel, 'db' | 'sites'>): () => Promise<void> {
  let next = Date.now() + PRUNE_INTERVAL_MS;
  return async () => {
    if (Date.now() < next) return;
    next = Date.now() + PRUNE_INTERVAL_MS;
    await pruneTransactions(kernel);
  };
}

/** Removes the transactions that exceed the retention of the panel `transactions`. */
export const pruneTransactionsAction: JobAction = {
  name: 'prune-transactions',
  title: 'Remove old transactions',
  description: 'Removes the transactions that the setting "days" of the panel "transactions" does not keep.',
  schema: { fieldsets: [{ id: 'default', title: 'Default', fields: [] }], properties: {}, required: [] },
  exclusive: true,
  run: async ({ kernel }) => ({ transactions: await pruneTransactions(kernel) }),
};
