import { versionedTypes } from '../../content/version-policy.ts';
import type { Kernel } from '../../site/kernel.ts';
import { recordChange, recordCreation } from './statements/version-record.ts';
import { retentionOf } from './version-retention.ts';

/** The actor of what nobody in particular did, as the owner of what they make. */
const NOBODY = 'anonymous';

/** Makes a version of every creation and of every change, in its transaction and with one statement. */
export function subscribeVersions({ events }: Pick<Kernel, 'events'>): void {
  events.on('content.created', async ({ oid, site, note = '' }, { tx, caller }) => {
    if (!site) return;
    await recordCreation(tx, { content: oid, actor: caller.id ?? NOBODY, note, types: versionedTypes(site) });
  });
  events.on('content.modified', async ({ oid, site, fields, before, note = '' }, { tx, caller }) => {
    await recordChange(tx, {
      content: oid,
      actor: caller.id ?? NOBODY,
      note,
      fields,
      before,
      types: versionedTypes(site),
      retention: retentionOf(site),
    });
  });
}
