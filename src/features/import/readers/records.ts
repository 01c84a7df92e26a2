import { isJsonObject } from '../../../lib/json-object.ts';
import type { ProblemLog } from '../import-report.ts';
import type {
  ImportComment,
  ImportGroup,
  ImportRedirect,
  ImportRelation,
  ImportTranslationGroup,
  ImportUser,
} from '../import-source.ts';
import { memberOf, parseDate, stringOrNull, stringsOf, textOf } from '../json-values.ts';
import { parentsFirst } from './sequences.ts';
import type { SiteAddress } from './site-address.ts';

/** Parses the `members` of a principals file. A password that is not a hash is left out and reported. */
export function* parseUsers(principals: unknown, file: string, problems: ProblemLog): Generator<ImportUser> {
  for (const raw of listOf(principals, 'members')) {
    const username = stringOrNull(memberOf(raw, 'username')) ?? stringOrNull(memberOf(raw, 'userid'));
    if (username === null) {
      problems.add({ file, message: 'A member has no username and is left out.' });
      continue;
    }
    yield {
      username,
      fullname: textOf(memberOf(raw, 'fullname')),
      email: textOf(memberOf(raw, 'email')),
      description: textOf(memberOf(raw, 'description')),
      home_page: textOf(memberOf(raw, 'home_page')),
      location: textOf(memberOf(raw, 'location')),
      password: parseHash(memberOf(raw, 'password'), username, file, problems),
      roles: stringsOf(memberOf(raw, 'roles')),
      groups: stringsOf(memberOf(raw, 'groups')),
    };
  }
}

/** Parses the `groups` of a principals file. */
export function* parseGroups(principals: unknown, file: string, problems: ProblemLog): Generator<ImportGroup> {
  for (const raw of listOf(principals, 'groups')) {
    const id = stringOrNull(memberOf(raw, 'groupid')) ?? stringOrNull(memberOf(raw, 'id'));
    if (id === null) {
      problems.add({ file, message: 'A group has no groupid and is left out.' });
      continue;
    }
    yield {
      id,
      title: stringOrNull(memberOf(raw, 'title')) ?? id,
      description: textOf(memberOf(raw, 'description')),
      email: textOf(memberOf(raw, 'email')),
      roles: stringsOf(memberOf(raw, 'roles')),
      groups: stringsOf(memberOf(raw, 'groups')),
      members: stringsOf(memberOf(raw, 'principals')),
    };
  }
}

function listOf(principals: unknown, key: string): unknown[] {
  const list = memberOf(principals, key);
  return Array.isArray(list) ? list : [];
}

function parseHash(value: unknown, username: string, file: string, problems: ProblemLog): string | null {
  const password = stringOrNull(value);
  if (password === null || /^(\{[A-Za-z0-9._-]+\}|\$[a-z0-9-]+\$)/.test(password)) return password;
  problems.add({ file, message: `The password of ${username} is no hash of a known form and is left out.` });
  return null;
}

/**
 * Parses the conversation on one object: a list of comments, or an object with the list as `items`. Replies come after
 * the comments that they answer; a reply to a missing comment becomes a comment on the object itself.
 */
export function parseComments(contentUid: string, conversation: unknown, problems: ProblemLog): ImportComment[] {
  const list = Array.isArray(conversation) ? conversation : memberOf(conversation, 'items');
  const comments = new Map<string, ImportComment>();
  for (const raw of Array.isArray(list) ? list : []) {
    const comment = parseComment(contentUid, raw);
    if (!comment || comments.has(comment.id)) {
      const reason = comment ? `is there twice: ${comment.id}` : 'has no comment_id';
      problems.add({ message: `A comment on ${contentUid} ${reason}; it is left out.` });
      continue;
    }
    comments.set(comment.id, comment);
  }
  for (const comment of comments.values()) {
    if (comment.inReplyTo === null || comments.has(comment.inReplyTo)) continue;
    problems.add({ message: `Comment ${comment.id} on ${contentUid} answers ${comment.inReplyTo}, which is missing.` });
    comment.inReplyTo = null;
  }
  return [
    ...parentsFirst(
      comments.values(),
      (comment) => comment.id,
      (comment) => comment.inReplyTo,
    ),
  ];
}

function parseComment(contentUid: string, raw: unknown): ImportComment | null {
  const id = idOf(memberOf(raw, 'comment_id'));
  if (!isJsonObject(raw) || id === null) return null;
  return {
    contentUid,
    id,
    inReplyTo: idOf(raw.in_reply_to),
    text: typeof raw.text === 'string' ? raw.text : textOf(memberOf(raw.text, 'data')),
    mimeType: stringOrNull(memberOf(raw.text, 'mime-type')) ?? 'text/plain',
    author: stringOrNull(raw.author_username),
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
): Generator<ImportRedirect> {
  for (const [old, target] of isJsonObject(value) ? Object.entries(value) : []) {
    const from = site.databasePath(site.link(old));
    const to = typeof target === 'string' ? parseTarget(target, site) : null;
    if (from === null || from === '/' || to === null || from === to) {
      problems.add({ file, path: from, message: `The redirect of ${old} is not valid and is left out.` });
      continue;
    }
    yield { from, to };
  }
}

function parseTarget(target: string, site: SiteAddress): string | null {
  const link = site.link(target);
  return /^https?:\/\//i.test(link) ? link : site.databasePath(link);
}

/** The entries of an object that are a language and a UID. */
const languagesIn = (value: unknown): [language: string, uid: string][] =>
  (isJsonObject(value) ? Object.entries(value) : []).flatMap(([language, uid]): [string, string][] =>
    language !== '' && typeof uid === 'string' && uid !== '' ? [[language, uid]] : [],
  );

/**
 * Parses one group of translations: UIDs by language (collective.exportimport), or the original with its translations
 * (plone.exportimport), whose language only the original itself knows: it stands under an empty text. Returns null for a group
 * with one object, which is not reported: the exporters write one for each object without translations. What has neither form
 * is reported.
 */
export function parseTranslationGroup(
  value: unknown,
  file: string,
  problems: ProblemLog,
): ImportTranslationGroup | null {
  const canonical = stringOrNull(memberOf(value, 'canonical'));
  const languages = canonical === null ? languagesIn(value) : languagesIn(memberOf(value, 'translations'));
  const namesObjects = isJsonObject(value) && Object.values(value).some((uid) => typeof uid === 'string' && uid !== '');
  if (!namesObjects)
    problems.add({ file, message: `No group of translations: ${JSON.stringify(value).slice(0, 300)}` });
  const original = canonical === null || languages.some(([, uid]) => uid === canonical) ? [] : [['', canonical]];
  const pairs = [...original, ...languages];
  return pairs.length >= 2 ? Object.fromEntries(pairs) : null;
}

/** Parses one relation. An incomplete one is reported, and null is returned. */
export function parseRelation(value: unknown, file: string, problems: ProblemLog): ImportRelation | null {
  const from = stringOrNull(memberOf(value, 'from_uuid'));
  const to = stringOrNull(memberOf(value, 'to_uuid'));
  const relation = stringOrNull(memberOf(value, 'relationship')) ?? stringOrNull(memberOf(value, 'from_attribute'));
  if (from !== null && to !== null && relation !== null) return { from_uuid: from, to_uuid: to, relation };
  problems.add({ file, message: `A relation is incomplete and is left out: ${JSON.stringify(value).slice(0, 200)}` });
  return null;
}
