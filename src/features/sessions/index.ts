import { Type } from 'typebox';
import {
  accounts,
  batching,
  defineFeature,
  defineService,
  noContent,
  ok,
  panelSettings,
  panels,
  type RequestContext,
  requests,
  schemas,
  type Transaction,
} from '#core';
import { NotFound } from '#lib/errors';

const Session = Type.Object({
  '@id': Type.String({ format: 'uri' }),
  id: Type.String({ description: 'The id of its token.' }),
  issued: Type.String({ format: 'date-time', description: 'When the token was made, by a login or a renewal.' }),
  expires: schemas.Nullable(Type.String({ format: 'date-time', description: 'Null: never.' })),
  network: Type.String({ description: 'The network address that it was made for.' }),
  user_agent: Type.String({ description: 'What the program said of itself.' }),
  current: Type.Boolean({ description: 'Whether it is the session of this request.' }),
});

/** The caller, whose sessions the request is about. `isLoggedIn` has rejected Anonymous before. */
function userOf({ caller }: RequestContext): string {
  if (caller.id === null) throw new Error('Sessions were asked for by nobody');
  return caller.id;
}

/** Ends sessions of the caller; `end` returns the ids of single sessions. */
async function endSessions(context: RequestContext, end: (tx: Transaction) => Promise<string[]>): Promise<void> {
  const { kernel, caller } = context;
  await kernel.db.transaction(async (tx) => {
    const change = { part: 'session', id: userOf(context), change: 'ended', names: await end(tx) };
    await kernel.events.emit('site.changed', change, { tx, caller });
  });
}

const common = { name: '@sessions', context: 'site', permission: null, checkPermission: requests.isLoggedIn } as const;

/** GET `@sessions`: the sessions of the user. */
const getSessions = defineService({
  ...common,
  method: 'GET',
  summary: 'Lists the sessions of the user who asks, the newest first, where the site stores tokens.',
  query: Type.Object(batching.Query('sessions', { size: 25 })),
  responses: {
    200: {
      description: 'A batch of the sessions.',
      schema: Type.Object({
        ...batching.BatchOf(Session).properties,
        stored: Type.Boolean({ description: 'Whether the site stores tokens; it knows no sessions otherwise.' }),
      }),
    },
  },
  async run(context) {
    const { db, auth, authentication, base, site, query, searchParams } = context;
    const batch = batching.of(query, searchParams);
    const { items, total } = await accounts.listTokens(db, userOf(context), {
      now: auth.now(),
      limit: batch.size,
      offset: batch.start,
    });
    const url = `${base}/@sessions`;
    return ok({
      '@id': url,
      stored: panelSettings(site, panels.security).store_tokens,
      items: items.map(({ id, issued, expires, network, agent }) => ({
        '@id': `${url}/${encodeURIComponent(id)}`,
        id,
        issued: issued.toISOString(),
        expires: expires?.toISOString() ?? null,
        network,
        user_agent: agent,
        current: id === authentication.token?.jti,
      })),
      items_total: total,
      ...batching.linksOf(url, batch, total),
    });
  },
});

/** DELETE `@sessions/<id>`: ends one session of the user. */
const deleteSession = defineService({
  ...common,
  method: 'DELETE',
  inPerson: true,
  summary: 'Ends one session of the user who asks.',
  alone: 'The session counts no more at once.',
  rest: ['{session}'],
  responses: {
    204: { description: 'Its token is worth nothing any more.' },
    404: { description: 'The user has no such session.' },
  },
  async run(context) {
    const { session } = context.params;
    await endSessions(context, async (tx) => {
      if (!(await accounts.forgetToken(tx, session, userOf(context)))) throw new NotFound(`/@sessions/${session}`);
      return [session];
    });
    return noContent();
  },
});

/** DELETE `@sessions`: ends all sessions of the user. */
const deleteSessions = defineService({
  ...common,
  method: 'DELETE',
  inPerson: true,
  summary:
    'Ends all sessions of the user who asks, that of the request too, also where the site does not store tokens.',
  alone: 'The session counts no more at once.',
  responses: { 204: { description: 'All tokens that the user had are worth nothing any more.' } },
  async run(context) {
    const { auth } = context;
    await endSessions(context, async (tx) => {
      await accounts.endTokens(tx, userOf(context), auth.now());
      return [];
    });
    return noContent();
  },
});

/** The sessions of users, which they can see and end (`@sessions`). */
export const sessionsFeature = defineFeature({
  name: 'sessions',
  services: [getSessions, deleteSession, deleteSessions],
});
