import { createHash } from 'node:crypto';
import type { ExportedComment } from '@canopy-server/site-reader';
import { chunks } from '#lib/chunks';
import { ClientError } from '#lib/errors';
import { isCleanHtml, sanitizeAnyHtml } from '#lib/text/sanitize-html';
import { type ImportedComment, insertComments } from '../comments/statements/comments.ts';
import { pack } from './again/imported-state.ts';
import { storable } from './content-rows.ts';
import type { ImportRun } from './import-run.ts';
import { type PackedBase, writeBases } from './statements/bases.ts';
import { commentOwners } from './statements/comments.ts';
import { importedKeys, rememberImported } from './statements/progress.ts';
import { cleanTexts, isIdentifier } from './storable-text.ts';

/** Comments written in one transaction. */
const CHUNK_SIZE = 500;

/** Begins the keys of comments. */
export const COMMENT = '#comment:';

export const keyOf = ({ contentUid, id }: ExportedComment) => `${COMMENT}${contentUid}/${id}`;

/** Makes another id: ids of comments are unique on one object in an export, but on the whole site here. */
const otherId = (contentUid: string, id: string): string =>
  `${id}-${createHash('sha256').update(contentUid).digest('hex').slice(0, 8)}`;

/** A comment with the number of the object that it is on. */
type Placed = { comment: ExportedComment; content: number };

/** Writes the comments on the objects that this import has created, replies after the comments that they answer. */
export async function importComments(run: ImportRun): Promise<void> {
  const { source, scope, key, summary } = run;
  for await (const chunk of chunks(source.comments(), CHUNK_SIZE)) {
    const placed = placedOf(
      run,
      chunk.map((comment) => cleanTexts(comment)),
    );
    const done = await importedKeys(
      scope.db,
      key,
      placed.map(({ comment }) => keyOf(comment)),
    );
    const open = placed.filter(({ comment }) => !done.has(keyOf(comment)));
    summary.comments.skipped += placed.length - open.length;
    if (open.length === 0) continue;
    const owners = await commentOwners(scope.db, [...new Set(open.flatMap(candidateIds))]);
    const comments = open.map((entry) => readyComment(run, entry, owners));
    summary.comments.created += await scope.write(async (tx) => {
      const inserted = await insertComments(tx, comments);
      const bases = open.flatMap(({ comment }, index) => {
        const written = comments[index];
        return written ? [commentBase(comment, written)] : [];
      });
      await writeBases(tx, key, bases);
      await rememberImported(
        tx,
        key,
        open.map(({ comment, content }) => ({ uid: keyOf(comment), content })),
      );
      return inserted;
    });
  }
}

/** The base of a comment: its id and its text on this site. */
export const commentBase = (
  comment: ExportedComment,
  { id, body }: Pick<ImportedComment, 'id' | 'body'>,
): PackedBase => ({
  ...{ uid: keyOf(comment), object: id, parent: '', name: '' },
  state: pack(body),
});

function placedOf({ plan, report, summary }: ImportRun, comments: ExportedComment[]): Placed[] {
  return comments.flatMap((comment) => {
    const planned = plan.byUid.get(comment.contentUid);
    const isOurs = planned?.state === 'created' || planned?.state === 'done';
    if (isOurs && planned.oid !== null && isIdentifier(comment.id)) return [{ comment, content: planned.oid }];
    summary.comments[planned?.state === 'present' ? 'skipped' : 'failed'] += 1;
    const reason = planned?.state === 'present' ? 'was there already and stays as it is' : 'is not there';
    const path = planned?.exported.path ?? null;
    report.add({
      reason: planned?.state === 'present' ? 'present' : 'target',
      path,
      key: 'comments',
      message: `Comment ${comment.id.slice(0, 100)} is left out: what it is on (${comment.contentUid.slice(0, 100)}) ${reason}.`,
    });
    return [];
  });
}

function candidateIds({ comment: { contentUid, id, inReplyTo } }: Placed): string[] {
  const ids = inReplyTo === null ? [id] : [id, inReplyTo];
  return ids.flatMap((each) => [each, otherId(contentUid, each)]);
}

/** @param owners the object of each comment, by the comment's id; the new one is added */
function readyComment(
  { report }: ImportRun,
  { comment, content }: Placed,
  owners: Map<string, number>,
): ImportedComment {
  const { contentUid, id: exportedId, inReplyTo: answered, mimeType, author } = comment;
  const id = owners.has(exportedId) ? otherId(contentUid, exportedId) : exportedId;
  owners.set(id, content);
  const inReplyTo =
    answered === null
      ? null
      : ([answered, otherId(contentUid, answered)].find((each) => owners.get(each) === content) ?? null);
  const modified = storable(comment.modified);
  const created = storable(comment.created) ?? modified ?? new Date();
  const body = storedBody(comment, report);
  if (body.trim() === '' && comment.text.trim() !== '')
    report.add({ reason: 'value', key: 'comments', message: `The text of comment ${exportedId} is empty here.` });
  const dates = { created, modified: modified ?? created };
  return { id, content, inReplyTo, body, mimeType, author, authorName: comment.authorName ?? author ?? '', ...dates };
}

/** Returns the text of a comment as it is stored. */
export const storedBody = (
  { mimeType, text, id }: ExportedComment,
  report: Pick<ImportRun['report'], 'add'>,
): string => (mimeType === 'text/html' ? safeHtml(text, id, report) : text);

function safeHtml(html: string, id: string, report: Pick<ImportRun['report'], 'add'>): string {
  try {
    if (!isCleanHtml(html))
      report.add({
        reason: 'cleaned',
        key: 'comments',
        message: `The text of comment ${id} has HTML that is not safe or not known here; it was taken out.`,
      });
    return sanitizeAnyHtml(html);
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    report.add({
      reason: 'value',
      key: 'comments',
      message: `The text of comment ${id} is left out: ${error.message}`,
    });
    return '';
  }
}
