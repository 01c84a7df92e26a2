import { defineFeature } from '#core';
import { getTransactions, patchTransactions } from './endpoints.ts';
import { pruneTransactionsAction, transactionsPanel } from './retention.ts';
import { subscribeRecorder } from './subscribe.ts';

/** Lists of changes, and their undo (`@transactions`). */
export const transactionsFeature = defineFeature({
  name: 'transactions',
  services: [getTransactions, patchTransactions],
  panels: [transactionsPanel],
  tables: [
    { name: 'site_transaction', changes: { unread: 'lists of changes are never kept' }, key: ['id'], numbered: ['id'] },
    {
      name: 'site_transaction_step',
      changes: { unread: 'lists of changes are never kept' },
      key: ['transaction', 'number'],
      values: ['data'],
    },
  ],
  jobActions: [pruneTransactionsAction],
  subscribe: subscribeRecorder,
});
