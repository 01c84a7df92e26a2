import { Type } from 'typebox';
import { defineService, noContent, ok, type Service, schemas } from '#core';
import { BadRequest, Gone } from '#lib/errors';
import { Circuit } from '#lib/http/circuit';
import { RequestNotTaken } from '#lib/http/outgoing-request';
import { FEED_OF } from '../changes/feed.ts';
import { hasPlace, type Place, placeAt } from '../changes/statements/feed.ts';
import { DISPATCHER } from './dispatch.ts';
import { common, emitChange, requireWebhook } from './endpoints.ts';
import { testMessage } from './messages.ts';
import { loadSecrets, RULES, replaceSecret } from './secrets.ts';
import { sendSigned } from './send.ts';
import { noteAttempt } from './statements/attempts.ts';
import { findWebhook, lockWebhook, moveWebhook } from './statements/webhooks.ts';

/** Hours for which a replaced secret stays valid. */
const OVERLAP_HOURS = 24;
const MAX_OVERLAP_HOURS = 720;
const MAX_CURSOR_LENGTH = 500;

const UNKNOWN = { 404: { description: 'The site has no such webhook.' } };

/** POST `@webhooks/<id>/secret`: makes a new secret. */
const postSecret = defineService({
  ...common,
  method: 'POST',
  summary:
    'Replaces the secret of a webhook, or that of content rules (`content-rules`). The one before stays good for some hours.',
  rest: ['{webhook}/secret'],
  alone: 'Its response has a secret that is not kept.',
  body: Type.Object(
    {
      overlap_hours: Type.Optional(
        Type.Integer({
          description: 'Hours for which messages are signed with the secret before it as well; 24 unless given.',
          minimum: 0,
          maximum: MAX_OVERLAP_HOURS,
          message: `must be a whole number from 0 to ${MAX_OVERLAP_HOURS}`,
        }),
      ),
    },
    { examples: [{}, { overlap_hours: 0 }] },
  ),
  responses: {
    200: {
      description: 'The new secret, which is not shown again.',
      schema: Type.Object({ secret: Type.String() }),
    },
    ...UNKNOWN,
  },
  async run(context) {
    const { kernel, params, body } = context;
    const secret = await kernel.db.transaction(async (tx) => {
      const owner =
        params.webhook === RULES ? RULES : (await requireWebhook((id) => lockWebhook(tx, id), params.webhook)).id;
      const overlapHours = body.overlap_hours ?? OVERLAP_HOURS;
      const made = await replaceSecret(kernel, tx, { owner, overlapHours });
      await emitChange(context, tx, { id: owner, change: 'edited', names: ['secret'] });
      return made;
    });
    return ok({ secret }, { 'Cache-Control': 'no-store' });
  },
});

/** POST `@webhooks/<id>/test`: sends a message that only tests if requests arrive. */
const postTest = defineService({
  ...common,
  method: 'POST',
  summary: 'Sends a test message now, and returns what became of it.',
  rest: ['{webhook}/test'],
  waitsFor: 'provider',
  body: schemas.OpenObject({}),
  responses: {
    200: {
      description: 'The result of the attempt.',
      schema: Type.Object({
        message: Type.String({ description: 'The id of the message.' }),
        delivered: Type.Boolean(),
        status: schemas.Nullable(Type.Integer(), { description: 'The status of the response; null without one.' }),
        problem: schemas.Nullable(Type.String(), { description: 'Why it has failed; null for success.' }),
      }),
    },
    ...UNKNOWN,
  },
  async run({ kernel, params }) {
    const { db, config } = kernel;
    const { id, url } = await requireWebhook((one) => findWebhook(db, one), params.webhook);
    const { message, type, path, body } = testMessage(id);
    const secrets = await loadSecrets(kernel, id);
    const options = {
      secrets,
      circuit: new Circuit(),
      isPrivateAllowed: config.webhookPrivateAddresses,
    };
    const result = await sendSigned({ id: message, url, method: 'POST', body }, options).then(
      (status) => ({ status, problem: null }),
      (error: unknown) => {
        if (!(error instanceof RequestNotTaken)) throw error;
        return { status: error.status ?? null, problem: error.message };
      },
    );
    await noteAttempt(db, id, { message, type, path, attempt: 1, ...result });
    return ok({ message, delivered: result.problem === null, ...result });
  },
});

/** POST `@webhooks/<id>/replay`: sends events again. */
const postReplay = defineService({
  ...common,
  method: 'POST',
  summary: 'Has a webhook send everything once more since a cursor of `@changes` or since a moment.',
  rest: ['{webhook}/replay'],
  alone: 'It reads the feed of changes up to the last commit.',
  body: Type.Object(
    {
      since: Type.Optional(schemas.Text({ description: 'A cursor of `@changes`.', maxLength: MAX_CURSOR_LENGTH })),
      from: Type.Optional(schemas.Instant({ description: 'A moment.' })),
    },
    { examples: [{ from: '2026-11-26T12:00:00Z' }] },
  ),
  check: (_context, { body: { since, from } }) =>
    (since === undefined) === (from === undefined) ? [{ message: 'Send either "since" or "from".' }] : [],
  responses: {
    204: { description: 'The messages are queued. Those that were sent before have the same ids.' },
    ...UNKNOWN,
    410: { description: 'The feed does not reach so far back.' },
  },
  async run(context) {
    const { kernel, params, body } = context;
    const { db } = kernel;
    const feed = kernel.slots.get(FEED_OF);
    const placeOf = async (): Promise<Place> => {
      if (body.since !== undefined) {
        const cursor = (await feed.cursors()).open(body.since);
        if (!cursor) throw new BadRequest('"since" is no cursor of this site.');
        if (await hasPlace(db, cursor.place)) return cursor.place;
      } else {
        await feed.head();
        const found = await placeAt(db, body.from ?? new Date());
        if (found) return found;
      }
      throw new Gone('The feed of changes does not reach so far back. Choose a later moment.');
    };
    const place = await placeOf();
    await db.transaction(async (tx) => {
      const { id } = await requireWebhook((one) => lockWebhook(tx, one), params.webhook);
      await moveWebhook(tx, id, place);
      await emitChange(context, tx, { id, change: 'replayed' });
    });
    kernel.slots.get(DISPATCHER).wake();
    return noContent();
  },
});

export const webhookOperations: Service[] = [postSecret, postTest, postReplay];
