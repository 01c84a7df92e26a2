import { defineFeature } from '../../services/feature.ts';
import { getTransactions, patchTransactions } from './endpoints.ts';
import { pruneTransactionsAction, transactionsPanel } from './retention.ts';
import { subscribeRecorder } from './subscribe.ts';

/** What was changed, and how it is undone (`@transactions`). */
export const transactionsFeature = defineFeature({
  name: 'transactions',
  services: [getTransactions, patchTransactions],
  panels: [transactionsPanel],
  jobActions: [pruneTransactionsAction],
  subscribe: subscribeRecorder,
});
