import { definePanel, type JobAction, type Kernel, panelSettings, type Site, settings, versions } from '#core';
import { DAY_MS } from '#lib/time/milliseconds';
import { pruneVersionRows, type Retention, recordChange, recordCreation } from './statements.ts';

/** The retention of versions of content. */
export const versioningPanel = definePanel({
  id: 'versioning',
  title: 'Versioning',
  group: 'Content',
  settings: [
    settings.whole('keep', {
      title: 'Versions of each content',
      description: 'Older ones are removed. Empty keeps all.',
      default: null,
      minimum: 1,
      maximum: 1_000_000,
      record: 'canopy.versioning.keep',
    }),
    settings.whole('days', {
      title: 'Days to keep versions',
      description: 'Counted from when the next version replaced them. Empty keeps them for ever.',
      default: null,
      minimum: 1,
      maximum: 36_500,
      record: 'canopy.versioning.days',
    }),
  ],
});

/**
 * The versions that the site keeps, by its settings `versioning`: `keep` is the number of versions of each object, `days` the time for which a
 * version is kept after its replacement; null means no limit. The newest version always stays.
 */
export function retentionOf(site: Site, now = Date.now()): Retention {
  const { keep, days } = panelSettings(site, versioningPanel);
  return { keep, since: days === null ? null : new Date(now - days * DAY_MS) };
}

/** The actor of changes without a user; owners use the same name. */
const ANONYMOUS = 'anonymous';

/** Records a version of every creation and every change, in its transaction and with one statement. */
export function subscribeVersions({ events }: Pick<Kernel, 'events'>): void {
  events.on('content.created', async ({ oid, site, note = '' }, { tx, caller }) => {
    if (!site) return;
    await recordCreation(tx, { content: oid, actor: caller.id ?? ANONYMOUS, note, types: versions.keptTypes(site) });
  });
  events.on('content.modified', async ({ oid, site, fields, before, note = '' }, { tx, caller }) => {
    await recordChange(tx, {
      content: oid,
      actor: caller.id ?? ANONYMOUS,
      note,
      fields,
      before,
      types: versions.keptTypes(site),
      retention: retentionOf(site),
    });
  });
}

/** Objects that one statement examines. */
const BATCH = 1000;

/**
 * Removes the versions of all objects that exceed the retention of the site; returns their number. Each edit prunes its own object, so this is for
 * unedited objects, after a change of the settings and as time passes.
 */
export async function pruneVersions({ db, sites }: Pick<Kernel, 'db' | 'sites'>): Promise<number> {
  const retention = retentionOf(await sites.current());
  if (retention.keep === null && retention.since === null) return 0;
  let removed = 0;
  for (let after = 0; ; ) {
    const pruned = await pruneVersionRows(db, { retention, after, limit: BATCH });
    if (!pruned) return removed;
    removed += pruned.removed;
    after = pruned.last;
  }
}

/** Removes the versions that exceed the retention of the panel `versioning`. */
export const pruneVersionsAction: JobAction = {
  name: 'prune-versions',
  title: 'Remove old versions',
  description: 'Removes the versions that the settings of the panel "versioning" do not keep.',
  schema: { fieldsets: [{ id: 'default', title: 'Default', fields: [] }], properties: {}, required: [] },
  exclusive: true,
  run: async ({ kernel }) => ({ versions: await pruneVersions(kernel) }),
};
