import { unparsedMember } from '../../lib/unparsed-json.ts';
import { viewRuleOf } from '../configuration/panels/publishing.ts';
import { collectUids } from '../content/blocks/resolve-uid.ts';
import { findTargets, type TargetRow } from '../content/statements/references.ts';
import { callerAt } from '../security/caller.ts';
import type { ContentObject } from '../types/content-row.ts';
import type { Target } from '../types/field-kind.ts';
import { isStoredFile } from '../types/fields/files.ts';
import { type RenderContext, urlOf } from './render-context.ts';
import { type LinkedContent, previewUid, summary } from './summary.ts';

/** UIDs that the stored values of objects refer to. */
export function uidsOf({ kernel, site }: RenderContext, objects: readonly ContentObject[]): Set<string> {
  const uids = new Set<string>();
  for (const { type, fields } of objects) {
    for (const { name, field, kind } of kernel.fieldKinds.fieldsOf(site.types.get(type))) {
      if (kind.uids === undefined) continue;
      const unparsed = unparsedMember(fields, name);
      if (unparsed && kind.isServedAsStored?.(unparsed, field)) continue;
      const stored = fields[name];
      if (stored === undefined || stored === null) continue;
      for (const uid of kind.uids(stored, field)) uids.add(uid);
    }
  }
  return uids;
}

/**
 * The address that replaces the target for anonymous visitors: the file of a File, the external address of a Link. Users
 * who are logged in may be editing the link and get the target itself (plone.restapi §3.6).
 */
function primaryUrl({ caller }: RenderContext, { fields }: TargetRow, url: string): string | undefined {
  if (caller.id !== null) return undefined;
  if (isStoredFile(fields.file)) return `${url}/@@download/file`;
  const remote = fields.remoteUrl;
  return typeof remote === 'string' && collectUids(remote).size === 0 ? remote : undefined;
}

/**
 * The targets of references by UID, made of their rows. Targets that the caller may not view have `visible: false`. A picture that stands for a
 * target is taken from the rows.
 */
export function targetsOfRows(context: RenderContext, rows: readonly TargetRow[]): Map<string, Target> {
  const { site, base, caller, metadataFields } = context;
  const everywhere = new Set(caller.principals);
  const principalsAt = (path: string) => (caller.within ? new Set(callerAt(caller, path).principals) : everywhere);
  const isVisible = ({ viewers, path }: TargetRow) => {
    const principals = principalsAt(path);
    return viewers.some((token) => principals.has(token));
  };
  const urls = new Map(rows.filter(isVisible).map(({ uid, path }) => [uid, urlOf(base, path)]));
  const targets = new Map<string, Target>();
  const linked: LinkedContent = (uid) => {
    const url = urls.get(uid);
    return visibleTargets(targets)(uid) ?? (url === undefined ? undefined : { url });
  };
  const isPictured = (row: TargetRow) => previewUid(site, row) !== undefined;
  // Rows that take their picture from another row come after it.
  for (const row of [...rows.filter((row) => !isPictured(row)), ...rows.filter(isPictured)]) {
    const url = urlOf(base, row.path);
    const visible = urls.has(row.uid);
    const primary = visible ? primaryUrl(context, row, url) : undefined;
    targets.set(row.uid, {
      uid: row.uid,
      url,
      visible,
      summary: summary(site, base, row, visible ? metadataFields : [], linked),
      ...(primary !== undefined && { primaryUrl: primary }),
    });
  }
  return targets;
}

/** Returns a function that finds the target with a UID; undefined for hidden and unknown targets. */
export function visibleTargets(targets: ReadonlyMap<string, Target>): (uid: string) => Target | undefined {
  return (uid) => {
    const target = targets.get(uid);
    return target?.visible ? target : undefined;
  };
}

/** Loads the targets of the given UIDs with one SQL statement, or without a statement for no UIDs. */
export async function loadTargets(context: RenderContext, uids: ReadonlySet<string>): Promise<Map<string, Target>> {
  return uids.size === 0
    ? new Map()
    : targetsOfRows(context, await findTargets(context.db, viewRuleOf(context.site), [...uids]));
}
