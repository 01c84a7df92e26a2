import {
  type Caller,
  contentPath,
  type Kernel,
  locateForWrite,
  type Queryable,
  type ResolvedNode,
  reject,
  requirePermission,
  type Site,
  VIEW,
} from '#core';
import { NotFound } from '#lib/errors';
import { type CommentRights, commentRights } from './rights.ts';
import { type CommentRow, type CommentView, findComment, lockComment } from './statements/comments.ts';

/** The comments on an object with the rights of a caller. */
export type Conversation = { site: Site; caller: Caller; resolved: ResolvedNode; rights: CommentRights };

/** Names one comment for an operation; `path` is the path of the object that it belongs to. */
export type CommentRequest = { caller: Caller; path: string; id: string };

/** The view that decides which comments the caller sees. */
export const viewOf = ({ caller, resolved, rights }: Conversation): CommentView => ({
  content: resolved.object.oid,
  reviewer: rights.review,
  user: caller.id,
});

/**
 * The conversation at a path for a write: the object and its security settings cannot change before the transaction ends.
 * Throws NotFound, and Unauthorized or Forbidden for callers who may not view the object.
 */
export async function conversationForWrite(
  kernel: Kernel,
  tx: Queryable,
  { caller, path }: { caller: Caller; path: string },
): Promise<Conversation> {
  const { site, resolved } = await locateForWrite(kernel, path, tx, 'add-inside');
  if (!resolved) throw new NotFound(path);
  requirePermission(site, caller, resolved, VIEW);
  return { site, caller, resolved, rights: commentRights(site, caller, resolved) };
}

/**
 * One comment of a conversation. Throws NotFound when it does not exist or the caller cannot see it, and Unauthorized or
 * Forbidden for callers who may not view comments.
 */
export async function requireComment(db: Queryable, conversation: Conversation, id: string): Promise<CommentRow> {
  const { caller, resolved, rights } = conversation;
  if (!rights.view) reject(caller);
  const comment = await findComment(db, viewOf(conversation), id);
  if (comment) return comment;
  throw new NotFound(contentPath.child(resolved.object.path, `@comments/${id}`));
}

/**
 * Locks a comment and returns it: a `shared` lock keeps others from removing the comment, an `exclusive` lock also from replying to it. Throws like
 * `requireComment`.
 */
export async function requireLockedComment(
  tx: Queryable,
  conversation: Conversation,
  { id, mode }: { id: string; mode: 'shared' | 'exclusive' },
): Promise<CommentRow> {
  await lockComment(tx, { content: conversation.resolved.object.oid, id }, mode);
  return requireComment(tx, conversation, id);
}
