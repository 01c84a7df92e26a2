import { definePanel, panelSettings, type Site, settings } from '#core';
import { DAY_MS } from '#lib/time/milliseconds';

/** Fewer days cannot be set, so that an intruder with the rights of a Manager cannot remove the traces at once. */
const MIN_DAYS = 30;

/** The retention of the audit log. */
export const auditLogPanel = definePanel({
  id: 'audit-log',
  title: 'Audit log',
  group: 'Security',
  settings: [
    {
      ...settings.whole('days', {
        title: 'Days to keep the audit log',
        description: 'What is older is removed. At least 30; 0 keeps it for ever.',
        default: 365,
        minimum: 0,
        maximum: 36_500,
        required: true,
        record: 'canopy.audit_log.days',
      }),
      problem: (value) =>
        typeof value === 'number' && value > 0 && value < MIN_DAYS ? 'Must be at least 30, or 0 for ever.' : undefined,
    },
  ],
});

/** The moment before which entries are removed; undefined when they stay for ever. */
export function auditLogSince(site: Site, now = Date.now()): Date | undefined {
  const { days } = panelSettings(site, auditLogPanel);
  return days === 0 ? undefined : new Date(now - Math.max(days, MIN_DAYS) * DAY_MS);
}
