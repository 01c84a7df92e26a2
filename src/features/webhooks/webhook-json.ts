import { type Static, Type } from 'typebox';
import { journal, schemas } from '#core';
import { addressProblem } from '#lib/http/outgoing-request';
import type { WebhookRow, WebhookSettings } from './statements/webhooks.ts';

const MAX_TITLE = 200;
const MAX_URL = 2000;
const MAX_PATH = 2000;
const MAX_NAMES = 50;

const Names = (description: string) =>
  Type.Array(schemas.Text({ maxLength: 200 }), {
    description,
    maxItems: MAX_NAMES,
    uniqueItems: true,
    message: `must be a list of at most ${MAX_NAMES} names, each once`,
  });

/** The members that Managers set. */
export const Settings = Type.Object({
  title: schemas.Text({
    description: 'What it is for.',
    minLength: 1,
    maxLength: MAX_TITLE,
    message: 'Say what it is for.',
  }),
  url: Type.Refine(
    schemas.Text({
      description: 'Where messages are sent to, such as https://www.example.org/api/changed.',
      maxLength: MAX_URL,
    }),
    (url) => addressProblem(url) === undefined,
    () => 'Must be an address that begins with http:// or https://, without a password.',
  ),
  enabled: Type.Optional(
    Type.Boolean({ description: 'False sends nothing. True again sends what has happened since. True unless given.' }),
  ),
  audience: Type.Optional(
    schemas.Choice(['visitors', 'everything'], {
      description: 'Sends what visitors see, or everything. `visitors` unless given.',
    }),
  ),
  events: Type.Optional(
    Type.Array(Type.Enum([...journal.FEED_EVENTS], { message: `must be some of ${journal.FEED_EVENTS.join(', ')}` }), {
      description: 'Only these events; all unless given.',
      maxItems: MAX_NAMES,
      uniqueItems: true,
    }),
  ),
  types: Type.Optional(Names('Only of objects of these types; of all unless given.')),
  languages: Type.Optional(Names('Only of objects in these languages; in all unless given.')),
  path: Type.Optional(
    schemas.Nullable(
      Type.Refine(
        schemas.Text({ maxLength: MAX_PATH }),
        (path) => /^(?:\/[^/]+)+$/.test(path),
        () => 'Must be a path from the root of the site, such as /news.',
      ),
      { description: 'Only of what was or is there and below; of the whole site unless given.' },
    ),
  ),
});

/** A webhook in responses. */
export const WebhookJson = Type.Object({
  '@id': Type.String({ format: 'uri' }),
  id: Type.String(),
  title: Type.String(),
  url: Type.String(),
  enabled: Type.Boolean(),
  audience: Type.Enum(['visitors', 'everything']),
  events: Type.Array(Type.String()),
  types: Type.Array(Type.String()),
  languages: Type.Array(Type.String()),
  path: schemas.Nullable(Type.String()),
  waiting: Type.Integer({ description: 'Messages that wait to be sent, or sent again.' }),
  failing_since: schemas.Nullable(Type.String({ format: 'date-time' }), {
    description: 'Since when each attempt has failed; null after one that has not.',
  }),
  paused: schemas.Nullable(Type.Object({ since: Type.String({ format: 'date-time' }), reason: Type.String() }), {
    description: 'It has failed for too long. `enabled: true` has it go on.',
  }),
  created: Type.String({ format: 'date-time' }),
});

/** A webhook as JSON. */
export const webhookJson = (
  row: WebhookRow,
  { base, waiting }: { base: string; waiting: number },
): Static<typeof WebhookJson> => ({
  '@id': `${base}/@webhooks/${row.id}`,
  id: row.id,
  title: row.title,
  url: row.url,
  enabled: row.enabled,
  audience: row.audience,
  events: row.events,
  types: row.types,
  languages: row.languages,
  path: row.path,
  waiting,
  failing_since: row.failingSince?.toISOString() ?? null,
  paused: row.paused === null ? null : { since: row.paused.toISOString(), reason: row.pausedBecause ?? '' },
  created: row.created.toISOString(),
});

type Sent = Partial<Static<typeof Settings>>;

/** The settings of a webhook after a request: sent members replace those of `before`. */
export const settingsOf = (sent: Sent, before?: WebhookSettings): WebhookSettings => ({
  title: sent.title ?? before?.title ?? '',
  url: sent.url ?? before?.url ?? '',
  enabled: sent.enabled ?? before?.enabled ?? true,
  audience: sent.audience ?? before?.audience ?? 'visitors',
  events: [...(sent.events ?? before?.events ?? [])],
  types: [...(sent.types ?? before?.types ?? [])],
  languages: [...(sent.languages ?? before?.languages ?? [])],
  path: sent.path === undefined ? (before?.path ?? null) : sent.path,
});
