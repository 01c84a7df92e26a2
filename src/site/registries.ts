import type { CatalogRegistry } from '../catalog/catalog-registry.ts';
import type { Messages } from '../i18n/messages.ts';
import type { RoleMap } from '../security/can.ts';
import type { FieldKinds } from '../types/field-kinds.ts';
import type { GuardConditions } from '../workflow/workflow.ts';
import type { HealthCheck } from './health-checks.ts';
import type { JobActions } from './job-actions.ts';
import type { PanelRegistry } from './panel.ts';
import type { UpgradeSteps } from './upgrade-steps.ts';
import type { VocabularyRegistry } from './vocabulary.ts';

/**
 * What features bring to the layers up to this one, collected once for each kernel. What they bring to the layers above
 * lies in `Kernel.slots`, under names of those layers.
 */
export type Registries = {
  fieldKinds: FieldKinds;
  catalog: CatalogRegistry;
  /** The texts of the server in other languages than English. */
  messages: Messages;
  vocabularies: VocabularyRegistry;
  panels: PanelRegistry;
  jobActions: JobActions;
  upgradeSteps: UpgradeSteps;
  guardConditions: GuardConditions;
  /** Permissions that features declare, with the roles that have them where the site says nothing else. */
  permissions: RoleMap;
  /** Health checks by their keys in the response, such as `jobs:waiting`. */
  healthChecks: ReadonlyMap<string, HealthCheck>;
};
