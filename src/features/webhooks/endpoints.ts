import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import {
  batching,
  created,
  defineService,
  MANAGE_PORTAL,
  noContent,
  ok,
  queue,
  type RequestContext,
  type Service,
  schemas,
  type Transaction,
} from '#core';
import { BadRequest, NotFound } from '#lib/errors';
import { FEED_OF } from '../changes/feed.ts';
import { DISPATCHER } from './dispatch.ts';
import { MESSAGES } from './messages.ts';
import { takeBack } from './pause.ts';
import { replaceSecret } from './secrets.ts';
import { listAttempts } from './statements/attempts.ts';
import { removeSecrets } from './statements/secrets.ts';
import {
  announceWebhooks,
  countQueued,
  deleteWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks,
  lockWebhook,
  lockWebhooks,
  moveWebhook,
  resumeWebhook,
  updateWebhook,
  type WebhookRow,
} from './statements/webhooks.ts';
import { Settings, settingsOf, WebhookJson, webhookJson } from './webhook-json.ts';

/** Maximum number of webhooks of a site: each event is read for each webhook. */
const MAX_WEBHOOKS = 50;

export const common = { name: '@webhooks', context: 'site', permission: MANAGE_PORTAL } as const;

const Secret = Type.String({ description: 'The secret that verifies signatures. It is shown once.' });

/** Emits the event of a change of a webhook, and wakes the dispatchers of all processes. */
export async function emitChange(
  { kernel, caller }: Pick<RequestContext, 'kernel' | 'caller'>,
  tx: Transaction,
  change: { id: string; change: string; names?: string[] },
): Promise<void> {
  await kernel.events.emit('site.changed', { part: 'webhook', ...change }, { tx, caller });
  await announceWebhooks(tx);
}

/**
 * Finds the webhook of a request.
 * @throws NotFound
 */
export async function requireWebhook(
  find: (id: string) => Promise<WebhookRow | undefined>,
  id: string,
): Promise<WebhookRow> {
  const found = id.includes('\0') ? undefined : await find(id);
  if (!found) throw new NotFound(`/@webhooks/${id}`);
  return found;
}

/** The webhooks as JSON, with the number of waiting messages. */
async function jsonOf({ db, base }: RequestContext, rows: readonly WebhookRow[]) {
  const waiting = new Map((await countQueued(db, MESSAGES.name)).map((one) => [one.topic, one.waiting]));
  return rows.map((row) => webhookJson(row, { base, waiting: waiting.get(row.id) ?? 0 }));
}

const getWebhooks = defineService({
  ...common,
  method: 'GET',
  summary: 'Lists the webhooks of the site.',
  responses: {
    200: {
      description: 'The webhooks, without their secrets.',
      schema: batching.ListOf(WebhookJson),
    },
  },
  async run(context) {
    const items = await jsonOf(context, await listWebhooks(context.db));
    return ok({ '@id': `${context.base}/@webhooks`, items, items_total: items.length });
  },
});

const getWebhook = defineService({
  ...common,
  method: 'GET',
  summary: 'Represents a webhook.',
  rest: ['{webhook}'],
  responses: {
    200: { description: 'The webhook, without its secret.', schema: WebhookJson },
    404: { description: 'The site has no such webhook.' },
  },
  async run(context) {
    const found = await requireWebhook((id) => findWebhook(context.db, id), context.params.webhook);
    const [json] = await jsonOf(context, [found]);
    if (!json) throw new Error('A webhook without JSON');
    return ok(json);
  },
});

const postWebhook = defineService({
  ...common,
  method: 'POST',
  summary: 'Makes a webhook, which sends what happens to content from now on.',
  alone: 'Its response has a secret that is not kept.',
  body: Object.assign(Type.Object(Settings.properties), {
    examples: [{ title: 'Front end', url: 'https://www.example.org/api/revalidate' }],
  }),
  responses: {
    201: {
      description: 'The webhook with its secret, which is not shown again.',
      schema: Type.Object({ ...WebhookJson.properties, secret: Secret }),
      headers: { Location: { description: 'Its address.' } },
    },
  },
  async run(context) {
    const { kernel, body, base } = context;
    const id = randomUUID();
    const head = await kernel.slots.get(FEED_OF).head();
    const { row, secret } = await kernel.db.transaction(async (tx) => {
      if ((await lockWebhooks(tx)) >= MAX_WEBHOOKS)
        throw new BadRequest(`A site has at most ${MAX_WEBHOOKS} webhooks. Remove one first.`);
      await insertWebhook(tx, id, settingsOf(body));
      await moveWebhook(tx, id, head);
      const made = await replaceSecret(kernel, tx, { owner: id, overlapHours: 0 });
      await emitChange(context, tx, { id, change: 'created' });
      return { row: await requireWebhook((one) => findWebhook(tx, one), id), secret: made };
    });
    const json = webhookJson(row, { base, waiting: 0 });
    return created({ ...json, secret }, { Location: json['@id'] });
  },
});

const patchWebhook = defineService({
  ...common,
  method: 'PATCH',
  summary: 'Changes a webhook. `enabled: true` has a paused one go on with everything since its first failure.',
  rest: ['{webhook}'],
  body: schemas.Changes(Settings, { examples: [{ enabled: true }] }),
  responses: { 204: { description: 'Changed.' }, 404: { description: 'The site has no such webhook.' } },
  async run(context) {
    const { kernel, body, params } = context;
    await kernel.db.transaction(async (tx) => {
      const before = await requireWebhook((id) => lockWebhook(tx, id), params.webhook);
      await updateWebhook(tx, before.id, settingsOf(body, before));
      if (body.enabled === false) await takeBack(tx, before.id);
      if (body.enabled === true && before.paused !== null) await resumeWebhook(tx, before.id);
      await emitChange(context, tx, { id: before.id, change: 'edited', names: Object.keys(body) });
    });
    kernel.slots.get(DISPATCHER).wake();
    return noContent();
  },
});

const deleteWebhookService = defineService({
  ...common,
  method: 'DELETE',
  summary: 'Removes a webhook with what waits for it.',
  rest: ['{webhook}'],
  responses: { 204: { description: 'Removed.' }, 404: { description: 'The site has no such webhook.' } },
  async run(context) {
    const { kernel, params } = context;
    await kernel.db.transaction(async (tx) => {
      const { id } = await requireWebhook((one) => lockWebhook(tx, one), params.webhook);
      await deleteWebhook(tx, id);
      await removeSecrets(tx, id);
      await queue.removeTopics(tx, MESSAGES.name, { of: [id] });
      await emitChange(context, tx, { id, change: 'removed' });
    });
    return noContent();
  },
});

const AttemptJson = Type.Object({
  time: Type.String({ format: 'date-time' }),
  message: Type.String({ description: 'The id of the message.' }),
  type: Type.String(),
  path: Type.String(),
  attempt: Type.Integer({ description: 'Which attempt of the message it was.' }),
  status: schemas.Nullable(Type.Integer(), { description: 'The status of the response; null without one.' }),
  problem: schemas.Nullable(Type.String(), { description: 'Why it has failed; null for success.' }),
});

const getAttempts = defineService({
  ...common,
  method: 'GET',
  summary: 'Lists the attempts of a webhook, the newest first.',
  rest: ['{webhook}/attempts'],
  query: Type.Object(batching.Query('attempts', { size: 25, most: 1000 })),
  responses: {
    200: {
      description: 'A batch of the last thousand attempts.',
      schema: batching.BatchOf(AttemptJson),
    },
    404: { description: 'The site has no such webhook.' },
  },
  async run({ db, base, params, query, searchParams, repeatsQuery }) {
    repeatsQuery?.();
    const { id } = await requireWebhook((one) => findWebhook(db, one), params.webhook);
    const batch = batching.of(query, searchParams);
    const { items, total } = await listAttempts(db, id, { start: query.b_start, size: query.b_size });
    const url = `${base}/@webhooks/${id}/attempts`;
    return ok({
      '@id': url,
      items: items.map(({ at, ...attempt }) => ({ time: at.toISOString(), ...attempt })),
      items_total: total,
      ...batching.linksOf(url, batch, total),
    });
  },
});

export const webhookServices: Service[] = [
  getWebhooks,
  getWebhook,
  postWebhook,
  patchWebhook,
  deleteWebhookService,
  getAttempts,
];
