/** Entries of the audit log. */
export { type AuditEntry as Entry, auditNames as namesOf } from '../journal/audit-entry.ts';
export { REMOVED } from '../journal/core-steps.ts';
