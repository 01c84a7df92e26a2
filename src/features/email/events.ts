import type { EventDescriptions } from '#core';

/** Messages that change no content. */
export type MessageEvents = {
  /**
   * Somebody has sent the data of a form, or a mail, from the content `oid`. `part` and `change` name it as in `site.changed`; `name` is the id of
   * the form, empty for mails.
   */
  'message.sent': { oid: number; part: string; change: string; name: string };
};

declare module '#core' {
  interface ContentEvents extends MessageEvents {}
}

/** The events of messages. */
export const messageEvents: EventDescriptions<keyof MessageEvents> = {
  'message.sent': {
    record: { entry: ({ oid, part, change, name }) => ({ action: `${part}.${change}`, content: oid, name, data: {} }) },
    rules: null,
    caches: null,
    changes: null,
  },
};
