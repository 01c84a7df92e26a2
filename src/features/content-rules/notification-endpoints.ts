import { Type } from 'typebox';
import { defineService, noContent, ok, requests, type Service, urlOf } from '#core';
import { NotFound } from '#lib/errors';
import { listNotifications, removeNotifications } from './statements/notifications.ts';

const common = {
  name: '@notifications',
  context: 'site',
  permission: null,
  checkPermission: requests.isLoggedIn,
} as const;

/** GET `@notifications`: the messages of rules for the caller. */
const getNotifications = defineService({
  ...common,
  method: 'GET',
  summary: 'The messages that content rules have left for the caller, the newest first; 100 are kept.',
  responses: {
    200: {
      description: 'The messages.',
      schema: Type.Object({
        '@id': Type.String({ format: 'uri' }),
        items: Type.Array(
          Type.Object({
            '@id': Type.String({ format: 'uri' }),
            id: Type.Integer(),
            at: Type.String({ format: 'date-time' }),
            type: Type.String({ description: '`info`, `warning` or `error`.' }),
            message: Type.String(),
            content: Type.String({ format: 'uri', description: 'The content that it is about, where it was then.' }),
          }),
        ),
        items_total: Type.Integer(),
      }),
    },
  },
  async run({ db, base, caller }) {
    const found = await listNotifications(db, caller.id ?? '');
    return ok({
      '@id': `${base}/@notifications`,
      items: found.map(({ id, at, kind, message, path }) => ({
        '@id': `${base}/@notifications/${id}`,
        ...{ id, at: at.toISOString(), type: kind, message, content: urlOf(base, path) },
      })),
      items_total: found.length,
    });
  },
});

/** DELETE `@notifications`: the caller has read all of them. */
const deleteNotifications = defineService({
  ...common,
  method: 'DELETE',
  summary: 'Removes all messages for the caller.',
  responses: { 204: { description: 'Removed.' } },
  async run({ db, caller }) {
    await removeNotifications(db, caller.id ?? '');
    return noContent();
  },
});

/** DELETE `@notifications/<id>`: the caller has read one. */
const deleteNotification = defineService({
  ...common,
  method: 'DELETE',
  summary: 'Removes a message for the caller.',
  rest: ['{id}'],
  responses: { 204: { description: 'Removed.' }, 404: { description: 'The caller has no such message.' } },
  async run({ db, caller, params: { id } }) {
    const number = /^\d{1,15}$/.test(id) ? Number(id) : -1;
    if ((await removeNotifications(db, caller.id ?? '', number)) === 0)
      throw new NotFound(`/@notifications/${id.slice(0, 100)}`);
    return noContent();
  },
});

/** Messages of rules for users. */
export const notificationServices: Service[] = [getNotifications, deleteNotifications, deleteNotification];
