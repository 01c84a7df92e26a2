import type { Log } from '../lib/log.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import type { Database } from '../storage/database.ts';
import type { FieldKinds } from '../types/field-kinds.ts';
import type { Config } from './config.ts';
import type { Events } from './events.ts';
import type { JobActions } from './job-actions.ts';
import type { PanelRegistry } from './panel-registry.ts';
import type { SiteCache } from './site-cache.ts';
import type { UpgradeSteps } from './upgrade-steps.ts';

/** What every part of the server works with: one for each process. */
export type Kernel = {
  config: Config;
  log: Log;
  db: Database;
  blobs: BlobStore;
  sites: SiteCache;
  events: Events;
  fieldKinds: FieldKinds;
  upgradeSteps: UpgradeSteps;
  jobActions: JobActions;
  panels: PanelRegistry;
};
