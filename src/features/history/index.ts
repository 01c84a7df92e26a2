import { defineFeature } from '../../services/feature.ts';
import { pruneVersionsAction } from './prune-versions.ts';
import { historyServices } from './services.ts';
import { subscribeVersions } from './version-subscribers.ts';
import { versioningPanel } from './versioning-panel.ts';

/** Versions of content: recorded with each change, listed, compared, restored (`@history`). */
export const historyFeature = defineFeature({
  name: 'history',
  services: historyServices,
  panels: [versioningPanel],
  jobActions: [pruneVersionsAction],
  subscribe: subscribeVersions,
});
