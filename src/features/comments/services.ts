import type { Service } from '../../services/service.ts';
import { deleteComment } from './delete-comment.ts';
import { getComment } from './get-comment.ts';
import { getComments } from './get-comments.ts';
import { patchComment } from './patch-comment.ts';
import { postComment } from './post-comment.ts';
import { postTransition } from './post-transition.ts';

export const commentsServices: Service[] = [
  getComments,
  getComment,
  postComment,
  postTransition,
  patchComment,
  deleteComment,
];
