import { createHash } from 'node:crypto';
import type { ExportedTranslationGroup, ExportSource } from '@canopy-server/site-reader';
import { contentPath, type Queryable, references } from '#core';
import type { ImportReport } from './import-report.ts';
import type { ImportJob, ImportRun } from './import-run.ts';
import type { ImportPlan, PlannedObject } from './planned-object.ts';
import { groupLanguages } from './statements/content.ts';
import { isIdentifier } from './storable-text.ts';

/** Resolves links of the export to objects of this site, also to those that are not written yet. */
export interface LinkMap {
  /**
   * @param misses receives every reference that neither the export nor an earlier lookup knows
   * @param onDangling called with the UID of a link that is one of these
   */
  resolver(misses: Set<string>, onDangling: (uid: string) => void): Awaited<ReturnType<typeof references.resolver>>;
  /** Looks references up in the database. Returns whether any was found: then the resolver knows more than before. */
  lookUp(db: Queryable, misses: ReadonlySet<string>): Promise<boolean>;
}

/** Limit of references from the database that are kept in memory; content links to the same few objects of a site. */
const MAX_CACHED_REFERENCES = 50_000;

/** Paths that are longer than this, in characters, are not looked up: no content has them. */
const MAX_PATH_LENGTH = 2000;

/** @param bases absolute addresses of the site root that links may begin with */
export function linkMap(plan: ImportPlan, bases: readonly string[]): LinkMap {
  const found = new Map<string, string>();

  const composed = composedPaths(plan);
  const uidAt = (path: string): string | undefined =>
    known(plan.byPath.get(path) ?? composed.get(path.normalize('NFC'))) ?? found.get(path);
  const uidOf = (uid: string): string | undefined => known(plan.byUid.get(uid)) ?? found.get(uid);

  return {
    resolver: (misses, onDangling) => ({
      resolveUid(reference) {
        const internal = references.parseLink(reference, bases);
        const uid =
          internal === undefined ? uidOf(reference) : 'uid' in internal ? uidOf(internal.uid) : uidAt(internal.path);
        if (uid === undefined)
          misses.add(internal === undefined ? reference : 'uid' in internal ? internal.uid : internal.path);
        return uid;
      },
      resolveLink(link) {
        const internal = references.parseLink(link, bases);
        // The root is never a target: links to it stay addresses, like those that clients send.
        if (!internal || ('path' in internal && internal.path === contentPath.ROOT)) return link;
        const uid = 'uid' in internal ? uidOf(internal.uid) : uidAt(internal.path);
        if (uid !== undefined) return references.stored(uid, internal.suffix);
        misses.add('uid' in internal ? internal.uid : internal.path);
        if ('uid' in internal) onDangling(internal.uid);
        return link;
      },
    }),
    async lookUp(db, misses) {
      const isPath = (reference: string) => reference.startsWith('/');
      const paths = [...misses].filter((path) => isPath(path) && path.length <= MAX_PATH_LENGTH);
      const uids = [...misses].filter((uid) => !isPath(uid) && isIdentifier(uid));
      if (paths.length + uids.length === 0) return false;
      const rows = await references.resolve(db, uids, paths);
      if (found.size + rows.length > MAX_CACHED_REFERENCES) found.clear();
      for (const { reference, uid } of rows) found.set(reference, uid).set(uid, uid);
      return rows.length > 0;
    },
  };
}

/** The objects whose paths are more than ASCII, by the composed forms of these: links may have another form of Unicode. */
function composedPaths(plan: ImportPlan): ReadonlyMap<string, PlannedObject> {
  const paths = new Map<string, PlannedObject>();
  for (const [path, planned] of plan.byPath) if (/[^ -~]/.test(path)) paths.set(path.normalize('NFC'), planned);
  return paths;
}

/** The UID of a planned object, unless its import has failed. */
const known = (planned: { uid: string; state: string } | undefined): string | undefined =>
  planned === undefined || planned.state === 'failed' ? undefined : planned.uid;

/** A relation from one object: `target` is a UID on this site. */
export type ItemRelation = { relation: string; target: string };

/** The relations that an export keeps beside its objects, by the UID of their origin in the export. */
export type ItemRelations = ReadonlyMap<string, readonly ItemRelation[]>;

/**
 * The names of relations, and `translation_group`, of which the export does not have the other end, by the UID in the export: they say
 * nothing about what an earlier import has brought.
 */
export type MissingEnds = ReadonlyMap<string, ReadonlySet<string>>;

/** The state in which the relations and translations of an export are collected. */
type Collecting = Pick<ImportJob, 'report' | 'summary' | 'again'> & { missingEnds: Map<string, Set<string>> };

const noteMissing = ({ missingEnds }: Collecting, uid: string, name: string) =>
  missingEnds.set(uid, (missingEnds.get(uid) ?? new Set<string>()).add(name));

/** Collects the relations of an export. Those from present objects and those to missing ones are only counted. */
export async function collectItemRelations(
  source: ExportSource,
  plan: ImportPlan,
  collecting: Collecting,
): Promise<ItemRelations> {
  const { report, summary, again } = collecting;
  const relations = new Map<string, ItemRelation[]>();
  for await (const { from_uuid: from, to_uuid: to, relation } of source.relations()) {
    // Links are indexed when content is written.
    if (relation === references.LINKS) continue;
    const origin = plan.byUid.get(from);
    const target = plan.byUid.get(to);
    if (!origin || !target) {
      noteMissing(collecting, from, relation);
      summary.relations.failed += 1;
      report.add({
        reason: 'target',
        path: origin?.exported.path ?? from,
        key: relation,
        message: `The relation ${relation} from ${from} to ${to} leads to or comes from nothing in the export.`,
      });
    } else if (origin.state !== 'create' && !(again && ['done', 'gone'].includes(origin.state))) {
      summary.relations.skipped += 1;
    } else {
      const list = relations.get(origin.exported.uid) ?? [];
      list.push({ relation, target: target.uid });
      relations.set(origin.exported.uid, list);
    }
  }
  return relations;
}

/**
 * Decides to which group of translations each object of the export belongs: to that of a member that is on the site
 * already, else to a new one. Returns groups and languages by the UIDs of the export.
 */
export async function collectItemTranslations(
  db: Queryable,
  source: ExportSource,
  plan: ImportPlan,
  collecting: Collecting,
): Promise<ImportRun['translations']> {
  const { report, summary, again } = collecting;
  const groupOf = new Map<string, { group: string; language: string }>();
  const joined: { group: string; languages: string[] }[] = [];
  for await (const exported of source.translations()) {
    const members = translationsOf(exported, plan, groupOf);
    if (members.length < 2) {
      for (const uid of Object.values(exported)) noteMissing(collecting, uid, 'translation_group');
      summary.translations.failed += 1;
      report.add({
        reason: 'target',
        key: 'translations',
        message: `The translations ${JSON.stringify(exported).slice(0, 300)} have less than two objects that are in no other group.`,
      });
      continue;
    }
    const fresh = members.filter(({ state }) => state === 'create');
    if (fresh.length === 0) summary.translations.skipped += 1;
    else summary.translations.created += 1;
    if (fresh.length === 0 && !again) continue;
    const present = members.find(({ translationGroup }) => translationGroup !== null)?.translationGroup ?? null;
    const group = present ?? newTranslationGroup(members);
    const added = new Set(fresh.map(({ exported: { uid } }) => uid));
    const languages = Object.entries(exported).flatMap(([language, uid]) => (added.has(uid) ? [language] : []));
    if (present !== null && fresh.length > 0) joined.push({ group, languages });
    for (const [language, uid] of Object.entries(exported))
      if (members.some((member) => member.exported.uid === uid)) groupOf.set(uid, { group, language });
  }
  await reportDoubles(db, joined, report);
  return groupOf;
}

function translationsOf(
  exported: ExportedTranslationGroup,
  plan: ImportPlan,
  groupOf: ImportRun['translations'],
): PlannedObject[] {
  return Object.values(exported).flatMap((uid) => {
    const member = plan.byUid.get(uid);
    return member && member.parent !== null && !groupOf.has(uid) ? [member] : [];
  });
}

/**
 * Makes the id of a group, in the form of a UUID. It depends on the members only, so that an interrupted import can go
 * on with it.
 */
function newTranslationGroup(members: readonly PlannedObject[]): string {
  const uids = members.map(({ exported: { uid } }) => uid).sort();
  const hex = createHash('sha256').update(JSON.stringify(uids)).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

/**
 * Reports groups of the site that have an object already in the language of a new member, which stays out of the group.
 */
async function reportDoubles(
  db: Queryable,
  joined: { group: string; languages: string[] }[],
  report: ImportReport,
): Promise<void> {
  if (joined.length === 0) return;
  const rows = await groupLanguages(
    db,
    joined.map(({ group }) => group),
  );
  for (const { group, languages } of joined) {
    const double = rows.find((row) => row.group === group && row.language !== null && languages.includes(row.language));
    if (double)
      report.add({
        reason: 'target',
        key: 'translations',
        message: `The translations ${group} have an object in ${double.language} on the site already.`,
      });
  }
}
