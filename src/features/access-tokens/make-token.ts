import { randomUUID } from 'node:crypto';
import {
  type Caller,
  callers,
  type Kernel,
  panelSettings,
  publishing,
  type Queryable,
  references,
  type Site,
} from '#core';
import { BadRequest, type FieldProblem, ValidationFailed } from '#lib/errors';
import { hashToken } from '#lib/text/random-token';
import { DAY_MS } from '#lib/time/milliseconds';
import { newAccessToken } from './authenticate.ts';
import { accessTokensPanel } from './panel.ts';
import { insertToken, type StoredToken } from './statements.ts';

/** Tokens that a user may have at a time. */
const MAX_TOKENS = 50;

/** A request for a token. */
export type TokenRequest = {
  name: string;
  methods?: readonly string[] | null | undefined;
  subtrees?: readonly string[] | null | undefined;
  /** For an agent: the kinds of work that it may do beside reading. */
  scopes?: readonly callers.AgentScope[] | null | undefined;
  /** Null for a token that never expires; undefined for the default of the site. */
  expires?: Date | null | undefined;
};

/** Returns the problems of a requested expiry under the settings of the site. */
export function expiryProblems(site: Site, expires: Date | null | undefined, now: Date): FieldProblem[] {
  const { max_days: most } = panelSettings(site, accessTokensPanel);
  const fail = (message: string) => [{ field: 'expires', message }];
  if (expires === undefined) return [];
  if (expires === null) return most === 0 ? [] : fail(`Must be a date: tokens are good for ${most} days at most.`);
  if (expires <= now) return fail('Must be in the future.');
  const latest = now.getTime() + most * DAY_MS;
  return most > 0 && expires.getTime() > latest ? fail(`Tokens are good for ${most} days at most.`) : [];
}

/** The expiry of a token without a given one. */
function defaultExpiry(site: Site, now: Date): Date {
  const { default_days: days, max_days: most } = panelSettings(site, accessTokensPanel);
  return new Date(now.getTime() + DAY_MS * (most === 0 ? days : Math.min(days, most)));
}

/** UIDs of content by addresses, paths or UIDs. Throws ValidationFailed for content that the caller does not find. */
async function uidsOf(
  db: Queryable,
  { site, caller, bases }: { site: Site; caller: Caller; bases: readonly string[] },
  named: readonly string[],
) {
  const find = await references.visibleEnds(
    db,
    { rule: publishing.viewRuleOf(site), caller },
    { references: named, bases },
  );
  const unknown = named.find((reference) => find(reference) === undefined);
  if (unknown !== undefined)
    throw new ValidationFailed([{ field: 'subtrees', message: `There is no content "${unknown.slice(0, 200)}".` }]);
  return [...new Set(named.flatMap((reference) => find(reference)?.uid ?? []))];
}

/**
 * Makes a token for the caller. Returns the token with its stored row: the token itself is not stored and cannot be read later.
 * @throws ValidationFailed for content that the caller does not find, BadRequest when the user has too many tokens.
 */
export async function makeToken(
  { db, events }: Kernel,
  { site, caller, bases, now }: { site: Site; caller: Caller & { id: string }; bases: readonly string[]; now: Date },
  { name, methods = null, subtrees = null, scopes = null, expires }: TokenRequest,
): Promise<{ token: string; stored: StoredToken }> {
  const token = newAccessToken();
  const stored = {
    id: randomUUID(),
    account: caller.id,
    name,
    methods: methods && [...new Set(methods)],
    scopes: scopes && callers.AGENT_SCOPES.filter((scope) => scope === 'read' || scopes.includes(scope)),
    publishes: false,
    subtrees: subtrees && (await uidsOf(db, { site, caller, bases }, subtrees)),
    created: now,
    expires: expires === undefined ? defaultExpiry(site, now) : expires,
  };
  await db.transaction(async (tx) => {
    if (!(await insertToken(tx, { ...stored, hash: hashToken(token) }, MAX_TOKENS)))
      throw new BadRequest(`You have ${MAX_TOKENS} tokens: revoke one that is not used any more.`);
    const change = { part: 'access-token', id: caller.id, change: 'created', names: [name] };
    await events.emit('site.changed', change, { tx, caller });
  });
  return { token, stored };
}
