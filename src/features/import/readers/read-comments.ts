import { isJsonObject } from '../../../lib/json-object.ts';
import type { ImportComment } from '../import-source.ts';
import { memberOf, stringOrNull, textOf } from './json-values.ts';
import { parentsFirst } from './parents-first.ts';
import type { ProblemLog } from './problem-log.ts';
import { readDate } from './read-date.ts';

/**
 * Reads the conversation on one object: a list of comments, or an object that has it as `items`. A reply
 * comes after what it answers; one whose comment is not there becomes a comment on the object itself.
 */
export function readComments(contentUid: string, conversation: unknown, problems: ProblemLog): ImportComment[] {
  const list = Array.isArray(conversation) ? conversation : memberOf(conversation, 'items');
  const comments = new Map<string, ImportComment>();
  for (const raw of Array.isArray(list) ? list : []) {
    const comment = readComment(contentUid, raw);
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

function readComment(contentUid: string, raw: unknown): ImportComment | null {
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
    created: readDate(raw.creation_date),
    modified: readDate(raw.modification_date),
  };
}

/** Ids are numbers of microseconds, written as texts or numbers; 0 is the conversation itself. */
function idOf(value: unknown): string | null {
  const id = typeof value === 'number' ? String(value) : stringOrNull(value);
  return id === '0' ? null : id;
}
