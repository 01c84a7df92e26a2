import { defineFeature } from '../../services/feature.ts';
import { discussionPanel } from './discussion-panel.ts';
import { commentsServices } from './services.ts';

/** Comments on content, with their moderation and mails (`@comments`). */
export const commentsFeature = defineFeature({
  name: 'comments',
  services: commentsServices,
  panels: [discussionPanel],
});
