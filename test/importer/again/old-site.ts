import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Kernel } from '../../../src/core/kernel/kernel.ts';
import type { ConflictRule } from '../../../src/features/import/again/log.ts';
import type { ImportOptions } from '../../../src/features/import/import-site.ts';
import type { ImportSummary } from '../../../src/features/import/import-summary.ts';
import { isJsonObject } from '../../../src/lib/json-object.ts';
import { run, stored } from '../import-helpers.ts';

/** An object of a Plone site that is made up, as it stands in an export. */
type OldObject = Record<string, unknown> & { '@id': string; '@type': string; UID: string };

/** A Plone site that is made up: its objects by UID, and what is exported beside them. */
export type OldSite = {
  objects: Map<string, OldObject>;
  /** The UIDs of what is in each container, in order; the root is an empty text. */
  order: Map<string, string[]>;
  beside: Record<string, unknown>;
};

/** The parts of an object that tests choose. */
type NewObject = { uid: string; in?: string; id?: string; type?: string } & Record<string, unknown>;

export const oldSite = (): OldSite => ({ objects: new Map(), order: new Map(), beside: {} });

/** The UID of the container of an object; empty for the root. */
export function containerOf(site: OldSite, uid: string): string {
  return [...site.order].find(([, uids]) => uids.includes(uid))?.[0] ?? '';
}

const pathAt = (site: OldSite, uid: string): string => (uid === '' ? '' : (site.objects.get(uid)?.['@id'] ?? ''));

/** Adds an object behind the others of its container. */
export function add(site: OldSite, { uid, in: container = '', id = uid, type = 'Document', ...more }: NewObject): void {
  site.objects.set(uid, {
    '@id': `${pathAt(site, container)}/${id}`,
    '@type': type,
    UID: uid,
    id,
    is_folderish: true,
    title: uid,
    created: '2024-01-01T00:00:00+00:00',
    modified: '2024-01-02T00:00:00+00:00',
    review_state: 'published',
    creators: ['jo'],
    ...more,
  });
  site.order.set(container, [...(site.order.get(container) ?? []), uid]);
}

/** Changes an object. */
export function edit(site: OldSite, uid: string, changes: Record<string, unknown>): void {
  const object = site.objects.get(uid);
  if (object) Object.assign(object, { modified: '2024-05-01T00:00:00+00:00' }, changes);
}

/** Changes an object and keeps what it was as an older version, as Plone does when a page is saved. */
export function save(site: OldSite, uid: string, changes: Record<string, unknown>): void {
  const object = site.objects.get(uid);
  if (!object) return;
  const { 'exportimport.versions': versions, ...then } = object;
  const older = isJsonObject(versions) ? versions : {};
  const number = Object.keys(older).length;
  edit(site, uid, { ...changes, 'exportimport.versions': { ...older, [number]: { ...then, version: number } } });
}

/** The UIDs of what is below an object. */
function below(site: OldSite, uid: string): string[] {
  return (site.order.get(uid) ?? []).flatMap((child) => [child, ...below(site, child)]);
}

/** Moves an object with what is below it, or renames it. */
export function move(site: OldSite, uid: string, to: { in?: string; id?: string }): void {
  const object = site.objects.get(uid);
  if (!object) return;
  const from = containerOf(site, uid);
  const container = to.in ?? from;
  if (container !== from) {
    site.order.set(
      from,
      (site.order.get(from) ?? []).filter((other) => other !== uid),
    );
    site.order.set(container, [...(site.order.get(container) ?? []), uid]);
  }
  const before = object['@id'];
  const id = to.id ?? String(object.id);
  const after = `${pathAt(site, container)}/${id}`;
  object.id = id;
  for (const each of [uid, ...below(site, uid)]) {
    const moved = site.objects.get(each);
    if (moved) moved['@id'] = `${after}${moved['@id'].slice(before.length)}`;
  }
}

/** Removes an object with what is below it. */
export function remove(site: OldSite, uid: string): void {
  const from = containerOf(site, uid);
  for (const each of [uid, ...below(site, uid)]) {
    site.objects.delete(each);
    site.order.delete(each);
  }
  site.order.set(
    from,
    (site.order.get(from) ?? []).filter((other) => other !== uid),
  );
}

/** Writes an export of a site into a new folder, in the form of collective.exportimport. */
export async function exported({ objects, order, beside }: OldSite): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'canopy-again-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const ordering = [...order.values()].flatMap((uids) => uids.map((uuid, position) => ({ uuid, order: position })));
  const files = { 'Plone.json': [...objects.values()], 'export_ordering.json': ordering, ...beside };
  for (const [name, content] of Object.entries(files))
    await writeFile(path.join(folder, name), JSON.stringify(content));
  return folder;
}

/** Imports a site as it is now; with a rule as the newer export of what was imported before. */
export const importNow = async (
  kernel: Kernel,
  site: OldSite,
  rule?: ConflictRule,
  options: Partial<ImportOptions> = {},
): Promise<ImportSummary> => run(kernel, await exported(site), { again: rule, ...options });

/** All that imports write, as a text. */
export async function contentOf(kernel: Kernel): Promise<string> {
  const rows = [...(await stored(kernel)).values()].map(({ oid: _, ...row }) => row);
  const [more] = await kernel.db.query<{ more: unknown }>({
    text: `select jsonb_build_array(
      (select jsonb_agg(jsonb_build_array(r.path, c.uid, r.target_url) order by r.path) from redirect r left join content c on c.oid = r.target),
      (select jsonb_agg(jsonb_build_array(v.content, v.number, v.at, v.note, v.fields) order by v.content, v.number) from version v),
      (select jsonb_agg(jsonb_build_array(uid, object, parent, name, md5(state)) order by source, uid) from import_base),
      (select jsonb_agg(jsonb_build_array(id, body) order by id) from comment),
      (select jsonb_agg(jsonb_build_array(parent, name) order by parent, position, oid) from content),
      (select count(*) from workflow_history)) as more`,
  });
  return JSON.stringify([rows, more]);
}
