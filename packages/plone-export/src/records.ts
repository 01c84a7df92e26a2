import {
  type ExportedComment,
  type ExportedRedirect,
  type ExportedRelation,
  type ExportedTranslationGroup,
  isJsonObject,
  memberOf,
  type ProblemLog,
  parentsFirst,
  parseDate,
  stringOf,
  stringOrNull,
} from '@canopy-server/site-reader';
import type { SiteAddress } from './site-address.ts';

/** The key for the id of a comment in exports of Canopy in Plone's format. */
const OWN_COMMENT_ID = 'canopy_id';

/**
 * Parses the conversation on one object: a list of comments, or an object with the list as `items`. Replies come after their parent comments; a reply
 * to a missing comment becomes a comment on the object itself.
 */
export function parseComments(contentUid: string, conversation: unknown, problems: ProblemLog): ExportedComment[] {
  const list = Array.isArray(conversation) ? conversation : memberOf(conversation, 'items');
  const comments = new Map<string, ExportedComment>();
  const own = new Map<string, string>();
  const ownIds = new Set<string | null>();
  for (const raw of Array.isArray(list) ? list : []) {
    const comment = parseComment(contentUid, raw);
    if (!comment || comments.has(comment.id)) {
      const reason = comment ? `is there twice: ${comment.id}` : 'has no comment_id';
      problems.add({
        reason: 'unsupported',
        key: 'comments',
        message: `A comment on ${contentUid} ${reason}; it is left out.`,
      });
      continue;
    }
    comments.set(comment.id, comment);
    const ownId = stringOrNull(memberOf(raw, OWN_COMMENT_ID));
    if (ownId !== null && !ownIds.has(ownId)) own.set(comment.id, ownId);
    ownIds.add(ownId);
    if (memberOf(raw, 'user_notification') === true)
      problems.note({
        reason: 'unsupported',
        path: contentUid,
        key: 'comments',
        message: 'Authors are not told of replies to their comments: that they want it is left out.',
      });
  }
  for (const comment of comments.values()) {
    if (comment.inReplyTo === null || comments.has(comment.inReplyTo)) continue;
    problems.add({
      reason: 'target',
      key: 'in_reply_to',
      message: `Comment ${comment.id} on ${contentUid} answers ${comment.inReplyTo}, which is missing.`,
    });
    comment.inReplyTo = null;
  }
  const ordered = parentsFirst(
    comments.values(),
    (comment) => comment.id,
    (comment) => comment.inReplyTo,
  );
  return [...ordered].map((comment) => withOwnId(comment, own));
}

/** The comment with its id on this server, and with the id of its parent on this server. */
const withOwnId = (comment: ExportedComment, own: ReadonlyMap<string, string>): ExportedComment => ({
  ...comment,
  id: own.get(comment.id) ?? comment.id,
  inReplyTo: comment.inReplyTo === null ? null : (own.get(comment.inReplyTo) ?? comment.inReplyTo),
});

function parseComment(contentUid: string, raw: unknown): ExportedComment | null {
  const id = idOf(memberOf(raw, 'comment_id'));
  if (!isJsonObject(raw) || id === null) return null;
  return {
    contentUid,
    id,
    inReplyTo: idOf(raw.in_reply_to),
    text: typeof raw.text === 'string' ? raw.text : stringOf(memberOf(raw.text, 'data')),
    mimeType: stringOrNull(memberOf(raw.text, 'mime-type')) ?? 'text/plain',
    author: stringOrNull(raw.author_username) ?? stringOrNull(raw.creator),
    authorName: stringOrNull(raw.author_name),
    created: parseDate(raw.creation_date),
    modified: parseDate(raw.modification_date),
  };
}

/** Ids are microseconds, written as texts or numbers; 0 stands for the conversation itself. */
function idOf(value: unknown): string | null {
  const id = typeof value === 'number' ? String(value) : stringOrNull(value);
  return id === '0' ? null : id;
}

/** Parses `{old path: new path}`. Both are paths in the object database, which begin with the site's own id. */
export function* parseRedirects(
  value: unknown,
  site: SiteAddress,
  file: string,
  problems: ProblemLog,
): Generator<ExportedRedirect> {
  if (value !== undefined && !isJsonObject(value))
    problems.add({ reason: 'unreadable', file, message: 'The file does not hold redirects.' });
  for (const [old, given] of isJsonObject(value) ? Object.entries(value) : []) {
    const from = site.databasePath(site.link(old));
    // Plone may store a target in a list, with its date and its origin.
    const target: unknown = Array.isArray(given) ? given[0] : given;
    const to = typeof target === 'string' ? parseTarget(target, site) : null;
    if (from === null || from === '/' || to === null || from === to) {
      problems.add({
        reason: 'value',
        file,
        path: old.slice(0, 300),
        message: `The redirect of ${old.slice(0, 300)} is not valid and is left out.`,
      });
      continue;
    }
    yield { from, to };
  }
}

function parseTarget(target: string, site: SiteAddress): string | null {
  const link = site.link(target);
  return /^https?:\/\//i.test(link) ? link : site.databasePath(link);
}

/** The entries of an object whose key is a language and whose value is a UID. */
const languagesIn = (value: unknown): [language: string, uid: string][] =>
  (isJsonObject(value) ? Object.entries(value) : []).flatMap(([language, uid]): [string, string][] =>
    language !== '' && typeof uid === 'string' && uid !== '' ? [[language, uid]] : [],
  );

/**
 * Parses one group of translations: UIDs by language (collective.exportimport), or the original with its translations (plone.exportimport); the
 * original stands under an empty text, because this format has its language only in the object. Returns null for a group with one object, without a
 * report, because the exporters write such a group for each object without translations. Other forms are reported.
 */
export function parseTranslationGroup(
  value: unknown,
  file: string,
  problems: ProblemLog,
): ExportedTranslationGroup | null {
  const canonical = stringOrNull(memberOf(value, 'canonical'));
  const languages = canonical === null ? languagesIn(value) : languagesIn(memberOf(value, 'translations'));
  const namesObjects = isJsonObject(value) && Object.values(value).some((uid) => typeof uid === 'string' && uid !== '');
  if (!namesObjects)
    problems.add({
      reason: 'unreadable',
      file,
      message: `No group of translations: ${JSON.stringify(value).slice(0, 300)}`,
    });
  const original = canonical === null || languages.some(([, uid]) => uid === canonical) ? [] : [['', canonical]];
  const pairs = [...original, ...languages];
  return pairs.length >= 2 ? Object.fromEntries(pairs) : null;
}

/** Names that Archetypes had for relations of fields. */
const RELATION_NAMES: ReadonlyMap<string, string> = new Map([['relatesTo', 'relatedItems']]);

/** Relations that do not belong to fields: the export has their data elsewhere, or they have no meaning on another site. */
const SYSTEM_RELATIONS = new Set([
  ...['translationOf', 'internal_references', 'Working Copy Relation', 'iterate-working-copy'],
]);

/** Parses one relation. Reports an incomplete relation and returns null. */
export function parseRelation(value: unknown, file: string, problems: ProblemLog): ExportedRelation | null {
  const from = stringOrNull(memberOf(value, 'from_uuid'));
  const to = stringOrNull(memberOf(value, 'to_uuid'));
  const relation = stringOrNull(memberOf(value, 'relationship')) ?? stringOrNull(memberOf(value, 'from_attribute'));
  if (from !== null && to !== null && relation !== null) {
    if (!SYSTEM_RELATIONS.has(relation))
      return { from_uuid: from, to_uuid: to, relation: RELATION_NAMES.get(relation) ?? relation };
    const message = `The relation ${relation} is one of the old server itself and is left out.`;
    problems.note({ reason: 'system', file, path: from, key: relation, message });
    return null;
  }
  problems.add({
    reason: 'unreadable',
    file,
    message: `A relation is incomplete and is left out: ${JSON.stringify(value).slice(0, 200)}`,
  });
  return null;
}
