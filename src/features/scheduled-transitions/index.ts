import { defineFeature } from '#core';
import { scheduledTransitionServices } from './endpoints.ts';
import { startMakingTransitions } from './make-due.ts';
import { queueRefusalMail, refusalMails } from './refusal-mail.ts';
import { refuseMissed } from './statements.ts';

const WAS_AWAY = 'The content was in the recycle bin at that time.';

/** Transitions at a scheduled time (`@scheduled-transitions`). */
export const scheduledTransitionsFeature = defineFeature({
  name: 'scheduled-transitions',
  services: scheduledTransitionServices,
  mails: refusalMails,
  tables: [
    {
      name: 'scheduled_transition',
      changes: { unread: 'plans are never kept' },
      left: 'the old site makes its transitions itself',
    },
  ],
  subscribe({ events }) {
    // Content is restored unchanged, so transitions that were due meanwhile are refused.
    events.on('content.restored', async ({ to }, { tx }) => {
      for (const id of await refuseMissed(tx, to, WAS_AWAY)) await queueRefusalMail(tx, id);
    });
  },
  start: startMakingTransitions,
});
