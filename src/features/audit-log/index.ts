import { defineFeature } from '#core';
import { auditLogServices, VIEW_AUDIT_LOG } from './endpoints.ts';
import { auditLogPanel } from './panel.ts';
import { pruneAuditLogAction, startPruning } from './retention.ts';
import { subscribeAuditLog } from './subscribe.ts';

/** The record of actions, with user, time and address (`@audit-log`). */
export const auditLogFeature = defineFeature({
  name: 'audit-log',
  services: auditLogServices,
  panels: [auditLogPanel],
  tables: [{ name: 'audit_entry', changes: { unread: 'the log is never kept' }, key: ['id'], numbered: ['id'] }],
  jobActions: [pruneAuditLogAction],
  permissions: { [VIEW_AUDIT_LOG]: ['Manager'] },
  subscribe: subscribeAuditLog,
  start: startPruning,
});
