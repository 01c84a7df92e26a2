import { defineFeature } from '#core';
import { deleteComment, getComment, getComments, patchComment, postComment, postTransition } from './endpoints.ts';
import { commentEvents, commentSteps } from './events.ts';
import { commentColumns, commentSource } from './found-comments.ts';
import { commentVocabularies, discussionPanel } from './panel.ts';
import { commentIndexes } from './statements/comment-indexes.ts';

/** Comments on content, with their moderation and mails (`@comments`). */
export const commentsFeature = defineFeature({
  name: 'comments',
  services: [getComments, getComment, postComment, postTransition, patchComment, deleteComment],
  panels: [discussionPanel],
  events: commentEvents,
  steps: commentSteps,
  tables: [{ name: 'comment', changes: { object: 'content' }, key: ['id'], content: 'content', within: 'in_reply_to' }],
  vocabularies: commentVocabularies,
  indexes: commentIndexes,
  searchSources: [commentSource],
  loadedColumns: [commentColumns],
});
