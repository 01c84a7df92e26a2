import { coreFieldKinds } from '../content/core-field-kinds.ts';
import { subscribeCore } from '../content/core-subscribers.ts';
import { embeddingsOf } from '../content/embeddings.ts';
import { contentJobActions } from '../content/job-actions/index.ts';
import { subscribeVersions } from '../content/version-subscribers.ts';
import { contentVocabularies } from '../content/vocabularies/content-vocabularies.ts';
import { subscribeWorkingCopies } from '../content/working-copy-subscribers.ts';
import { jobHealth } from '../jobs/job-health.ts';
import { jobsPanel } from '../jobs/jobs-panel.ts';
import type { Log } from '../lib/log.ts';
import { peopleVocabularies } from '../people/vocabularies/people-vocabularies.ts';
import { coreComponents } from '../serializer/components/index.ts';
import { registerComponent } from '../serializer/components.ts';
import { Events } from '../site/events.ts';
import { registerHealthCheck } from '../site/health-checks.ts';
import { JobActions } from '../site/job-actions.ts';
import type { Kernel } from '../site/kernel.ts';
import { PanelRegistry } from '../site/panel-registry.ts';
import { corePanels } from '../site/panels/index.ts';
import { typesPanel } from '../site/panels/types-panel.ts';
import type { Settings } from '../site/settings.ts';
import { SiteCache } from '../site/site-cache.ts';
import { UpgradeSteps } from '../site/upgrade-steps.ts';
import { siteVocabularies } from '../site/vocabularies/index.ts';
import { registerVocabulary } from '../site/vocabulary-registry.ts';
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
    jobActions: new JobActions(),
    panels: new PanelRegistry(corePanels),
  };
  subscribeCore(kernel);
  subscribeVersions(kernel);
  subscribeWorkingCopies(kernel);
  embeddingsOf(kernel);
  for (const component of coreComponents) registerComponent(component);
  for (const vocabulary of [...siteVocabularies, ...contentVocabularies, ...peopleVocabularies])
    registerVocabulary(vocabulary);
  for (const action of contentJobActions) kernel.jobActions.register(action);
  kernel.panels.register(jobsPanel);
  kernel.panels.register(typesPanel);
  registerHealthCheck('jobs:waiting', jobHealth);
  return kernel;
}
