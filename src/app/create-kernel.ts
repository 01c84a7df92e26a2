import { coreFieldKinds } from '../content/core-field-kinds.ts';
import { subscribeCore } from '../content/core-subscribers.ts';
import { embeddingsOf } from '../content/embeddings.ts';
import { subscribeVersions } from '../content/version-subscribers.ts';
import { subscribeWorkingCopies } from '../content/working-copy-subscribers.ts';
import type { Log } from '../lib/log.ts';
import { coreComponents } from '../serializer/components/index.ts';
import { registerComponent } from '../serializer/components.ts';
import { Events } from '../site/events.ts';
import type { Kernel } from '../site/kernel.ts';
import type { Settings } from '../site/settings.ts';
import { SiteCache } from '../site/site-cache.ts';
import { UpgradeSteps } from '../site/upgrade-steps.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import type { Database } from '../storage/database.ts';

/** Puts the parts of the server together, with everything that the core registers. */
export function createKernel({
  settings,
  log,
  db,
  blobs,
}: {
  settings: Settings;
  log: Log;
  db: Database;
  blobs: BlobStore;
}): Kernel {
  const kernel: Kernel = {
    settings,
    log,
    db,
    blobs,
    sites: new SiteCache(db),
    events: new Events(),
    fieldKinds: coreFieldKinds(),
    upgradeSteps: new UpgradeSteps(),
  };
  subscribeCore(kernel);
  subscribeVersions(kernel);
  subscribeWorkingCopies(kernel);
  embeddingsOf(kernel);
  for (const component of coreComponents) registerComponent(component);
  return kernel;
}
