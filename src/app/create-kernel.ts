import { coreFieldKinds } from '../content/core-field-kinds.ts';
import { subscribeCore } from '../content/core-subscribers.ts';
import { contentVocabularies } from '../content/vocabularies/content-vocabularies.ts';
import { subscribeVersions } from '../features/history/version-subscribers.ts';
import { contentJobActions } from '../features/jobs/content-job-actions.ts';
import { jobHealth } from '../features/jobs/job-health.ts';
import { jobsPanel } from '../features/jobs/jobs-panel.ts';
import { peopleVocabularies } from '../features/people/people-vocabularies.ts';
import { embeddingsOf } from '../features/related/embeddings.ts';
import { typesPanel } from '../features/type-editor/types-panel.ts';
import { subscribeWorkingCopies } from '../features/working-copies/working-copy-subscribers.ts';
import type { Log } from '../lib/log.ts';
import { coreComponents } from '../serializer/components/index.ts';
import { registerComponent } from '../serializer/components.ts';
import type { Config } from '../site/config.ts';
import { Events } from '../site/events.ts';
import { registerHealthCheck } from '../site/health-checks.ts';
import { JobActions } from '../site/job-actions.ts';
import type { Kernel } from '../site/kernel.ts';
import { PanelRegistry } from '../site/panel-registry.ts';
import { corePanels } from '../site/panels/index.ts';
import { SiteCache } from '../site/site-cache.ts';
import { UpgradeSteps } from '../site/upgrade-steps.ts';
import { siteVocabularies } from '../site/vocabularies/index.ts';
import { registerVocabulary } from '../site/vocabulary-registry.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import type { Database } from '../storage/database.ts';

/** Puts the parts of the server together, with everything that the core registers. */
export function createKernel({
  config,
  log,
  db,
  blobs,
}: {
  config: Config;
  log: Log;
  db: Database;
  blobs: BlobStore;
}): Kernel {
  const kernel: Kernel = {
    config,
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
