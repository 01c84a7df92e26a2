import { defineFeature } from '#core';
import { postEmail, postNotification } from './endpoints.ts';
import { messageEvents } from './events.ts';
import { addressHealth, mailHealth } from './health.ts';
import { startMailer } from './mailer.ts';

/** Messages by mail (`@email-send`, `@email-notification`), and the sending of all mails of the site. */
export const emailFeature = defineFeature({
  name: 'email',
  services: [postEmail, postNotification],
  events: messageEvents,
  healthChecks: [mailHealth, addressHealth],
  start: startMailer,
});
