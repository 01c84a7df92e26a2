import { collectUids } from '../content/blocks/resolve-uid.ts';
import type { ContentObject } from '../storage/content-row.ts';
import { findTargets, type TargetRow } from '../storage/statements/find-targets.ts';
import type { Target } from '../types/field-kind.ts';
import { isStoredFile } from '../types/fields/files.ts';
import { type RenderContext, urlOf } from './render-context.ts';
import { summary } from './summary.ts';

/** UIDs that the stored values of objects refer to. */
export function uidsOf({ kernel, site }: RenderContext, objects: readonly ContentObject[]): Set<string> {
  const uids = new Set<string>();
  for (const object of objects) {
    for (const field of site.types.get(object.type)?.fields ?? []) {
      const stored = object.fields[field.name];
      if (stored === undefined || stored === null) continue;
      for (const uid of kernel.fieldKinds.of(field).uids?.(stored) ?? []) uids.add(uid);
    }
  }
  return uids;
}

/** Where a link to the target leads instead: the file of a File, the address of a Link that leads outside. */
function primaryUrl(row: TargetRow, url: string): string | undefined {
  if (isStoredFile(row.fields.file)) return `${url}/@@download/file`;
  const remote = row.fields.remoteUrl;
  return typeof remote === 'string' && collectUids(remote).size === 0 ? remote : undefined;
}

/**
 * What the given UIDs refer to, as far as the caller may know it, with one SQL statement (none for
 * none). Hidden targets come with their UID only.
 */
export async function loadTargets(context: RenderContext, uids: ReadonlySet<string>): Promise<Map<string, Target>> {
  const { site, base, caller, metadataFields } = context;
  if (uids.size === 0) return new Map();
  const rows = await findTargets(context.db, [...uids]);
  const principals = new Set(caller.principals);
  const visible = new Map(
    rows.filter((row) => row.allowed.some((token) => principals.has(token))).map((row) => [row.uid, row]),
  );
  const urlOfUid = (uid: string) => {
    const row = visible.get(uid);
    return row && urlOf(base, row.path);
  };
  return new Map(
    rows.map((row): [string, Target] => {
      const url = urlOf(base, row.path);
      if (!visible.has(row.uid))
        return [row.uid, { uid: row.uid, url, visible: false, summary: summary(site, base, row, [], urlOfUid) }];
      const primary = primaryUrl(row, url);
      const target = { uid: row.uid, url, visible: true, summary: summary(site, base, row, metadataFields, urlOfUid) };
      return [row.uid, primary === undefined ? target : { ...target, primaryUrl: primary }];
    }),
  );
}
