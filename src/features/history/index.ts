import { defineFeature } from '#core';
import { versionsCheck } from './check-versions.ts';
import { getHistory, getHistoryDiff, getHistoryVersion, patchHistory } from './endpoints.ts';
import { pruneVersionsAction, subscribeVersions, versioningPanel } from './versioning.ts';

/** Versions of content: recording, listing, comparing and restoring them (`@history`). */
export const historyFeature = defineFeature({
  name: 'history',
  services: [getHistory, getHistoryVersion, getHistoryDiff, patchHistory],
  panels: [versioningPanel],
  tables: [
    {
      name: 'version',
      changes: { unread: 'versions are never kept' },
      key: ['content', 'number'],
      content: 'content',
      values: ['replaced'],
    },
  ],
  jobActions: [pruneVersionsAction],
  siteChecks: [versionsCheck],
  subscribe: subscribeVersions,
});
