import type { Feature } from '../core/services/feature.ts';
import { accessTokensFeature } from '../features/access-tokens/index.ts';
import { addOnsFeature } from '../features/add-ons/index.ts';
import { aiFeature } from '../features/ai/index.ts';
import { aliasesFeature } from '../features/aliases/index.ts';
import { auditLogFeature } from '../features/audit-log/index.ts';
import { backupFeature } from '../features/backup/index.ts';
import { blockTypesFeature } from '../features/block-types/index.ts';
import { bulkFeature } from '../features/bulk/index.ts';
import { cachingFeature } from '../features/caching/index.ts';
import { changesFeature } from '../features/changes/index.ts';
import { commentsFeature } from '../features/comments/index.ts';
import { contentRulesFeature } from '../features/content-rules/index.ts';
import { controlPanelsFeature } from '../features/control-panels/index.ts';
import { emailFeature } from '../features/email/index.ts';
import { explainAccessFeature } from '../features/explain-access/index.ts';
import { exportsFeature } from '../features/exports/index.ts';
import { formsFeature } from '../features/forms/index.ts';
import { historyFeature } from '../features/history/index.ts';
import { htmlPagesFeature } from '../features/html-pages/index.ts';
import { importFeature } from '../features/import/index.ts';
import { jobsFeature } from '../features/jobs/index.ts';
import { manageFeature } from '../features/manage/index.ts';
import { mcpFeature } from '../features/mcp/index.ts';
import { monitoringFeature } from '../features/monitoring/index.ts';
import { openidFeature } from '../features/openid/index.ts';
import { peopleFeature } from '../features/people/index.ts';
import { previewLinksFeature } from '../features/preview-links/index.ts';
import { promoteFeature } from '../features/promote/index.ts';
import { proposalsFeature } from '../features/proposals/index.ts';
import { recycleBinFeature } from '../features/recycle-bin/index.ts';
import { relatedFeature } from '../features/related/index.ts';
import { relationsFeature } from '../features/relations/index.ts';
import { releasesFeature } from '../features/releases/index.ts';
import { replaceFeature } from '../features/replace/index.ts';
import { scheduledTransitionsFeature } from '../features/scheduled-transitions/index.ts';
import { sessionsFeature } from '../features/sessions/index.ts';
import { setupFeature } from '../features/setup/index.ts';
import { sharingFeature } from '../features/sharing/index.ts';
import { siteExportFeature } from '../features/site-export/index.ts';
import { transactionsFeature } from '../features/transactions/index.ts';
import { translationsFeature } from '../features/translations/index.ts';
import { twoFactorFeature } from '../features/two-factor/index.ts';
import { typeEditorFeature } from '../features/type-editor/index.ts';
import { typesFileFeature } from '../features/types-file/index.ts';
import { upgradesFeature } from '../features/upgrades/index.ts';
import { uploadsFeature } from '../features/uploads/index.ts';
import { webhooksFeature } from '../features/webhooks/index.ts';
import { workingCopiesFeature } from '../features/working-copies/index.ts';
import { coreFeature } from './core-feature.ts';

/**
 * The features of the server. Subscribers run in this order: the core indexes content before others search for it, content rules follow on the work
 * of all others, and the recycle bin stores rows after all others have changed them.
 */
export const FEATURES: readonly Feature[] = [
  coreFeature,
  accessTokensFeature,
  addOnsFeature,
  aiFeature,
  aliasesFeature,
  auditLogFeature,
  backupFeature,
  blockTypesFeature,
  bulkFeature,
  cachingFeature,
  changesFeature,
  commentsFeature,
  controlPanelsFeature,
  emailFeature,
  explainAccessFeature,
  exportsFeature,
  formsFeature,
  historyFeature,
  htmlPagesFeature,
  importFeature,
  jobsFeature,
  manageFeature,
  mcpFeature,
  monitoringFeature,
  openidFeature,
  peopleFeature,
  previewLinksFeature,
  promoteFeature,
  proposalsFeature,
  relatedFeature,
  relationsFeature,
  releasesFeature,
  replaceFeature,
  scheduledTransitionsFeature,
  sessionsFeature,
  setupFeature,
  sharingFeature,
  siteExportFeature,
  // Before transactions, so that links of translations that a move ends are recorded before the move, and an undo restores them after it.
  translationsFeature,
  transactionsFeature,
  typesFileFeature,
  twoFactorFeature,
  typeEditorFeature,
  upgradesFeature,
  uploadsFeature,
  webhooksFeature,
  workingCopiesFeature,
  contentRulesFeature,
  recycleBinFeature,
];
