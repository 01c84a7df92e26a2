import { type TStringOptions, Type } from 'typebox';
import { Unauthorized } from '../../lib/errors.ts';
import { panelSettings } from '../configuration/panels/panel.ts';
import { securityPanel } from '../configuration/panels/security.ts';
import type { Site } from '../configuration/site/site.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Account } from '../people/accounts.ts';
import { login } from '../people/login.ts';
import {
  issueSessionToken,
  type LoginMethod,
  originOf,
  renewSessionToken,
  revokeSessionToken,
} from '../people/session-tokens.ts';
import type { TokenOptions } from '../people/tokens.ts';
import type { Caller } from '../security/caller.ts';
import { KERNEL_FEATURES } from './feature.ts';
import { noContent, ok } from './response.ts';
import { inEveryCase } from './schemas.ts';
import { defineService, type RequestContext, type Service } from './service.ts';

/** The lifetime of tokens and whether they are stored, from the settings `security` of the site. */
export function loadTokenOptions(site: Site): TokenOptions {
  const { token_timeout, use_keyring, store_tokens, second_factor_roles } = panelSettings(site, securityPanel);
  return { token_timeout, use_keyring, store_tokens, second_factor_roles };
}

/** Announces a login or a logout. A failure of a subscriber is logged and prevents neither. */
async function announce(
  { db, events, log }: Kernel,
  name: 'user.loggedIn' | 'user.loggedOut',
  site: Site,
  caller: Caller,
): Promise<void> {
  if (caller.id === null) return;
  const event = { id: caller.id, site };
  if (!events.isWanted(name, event)) return;
  try {
    await db.transaction((tx) => events.emit(name, event, { tx, caller }));
  } catch (error) {
    log.error({ err: error, event: name }, 'what follows on an event has failed');
  }
}

/**
 * Begins a session of an authenticated user, at the place of the request. `amr` names the methods of authentication, as in tokens. Returns the token.
 */
export async function startSession(
  { kernel, auth, site, clientAddress, headers }: RequestContext,
  account: Account,
  amr?: LoginMethod,
): Promise<string> {
  const origin = originOf(clientAddress, String(headers['user-agent'] ?? ''));
  const token = await issueSessionToken(auth, account, origin, amr);
  await announce(kernel, 'user.loggedIn', site, account.caller);
  return token;
}

const Token = Type.Object({
  token: Type.String({ description: 'A JWT, good for 12 hours unless the site says otherwise.' }),
});

/** GET `@login`: the ways to log in. */
const getLogin = defineService({
  name: '@login',
  method: 'GET',
  context: 'site',
  permission: null,
  withoutApiPermission: true,
  summary: 'Lists external login providers.',
  responses: {
    200: {
      description: 'The providers; empty without any.',
      schema: Type.Object({
        options: Type.Array(
          Type.Object({
            id: Type.String(),
            plugin: Type.String({ description: 'The kind of the provider, by which front ends choose an icon.' }),
            title: Type.String(),
            url: Type.String({ description: 'Where the browser goes to log in with it.', format: 'uri' }),
          }),
        ),
      }),
    },
  },
  async run({ kernel, site, base }) {
    const features = kernel.slots.get(KERNEL_FEATURES);
    return ok({
      options: features.flatMap(({ loginOptions = [] }) =>
        loginOptions.flatMap((find) => find({ kernel, site, base })),
      ),
    });
  },
});

const Credential = (options: TStringOptions) =>
  Type.String({ minLength: 1, reject: inEveryCase('Login and password must be provided in body.'), ...options });

/** POST `@login`: a token for login name and password. */
const postLogin = defineService({
  name: '@login',
  method: 'POST',
  context: 'site',
  permission: null,
  withoutApiPermission: true,
  summary: 'Exchanges login name and password for a token.',
  alone: 'Its response has a secret that is not kept.',
  body: Type.Object(
    {
      login: Credential({ description: 'Login name.' }),
      password: Credential({ description: 'Password.' }),
      otp: Type.Optional(
        Type.String({
          description: 'A code, for users with a second factor.',
          maxLength: 100,
          message: 'must be a text',
        }),
      ),
    },
    {
      additionalProperties: true,
      description: 'Further members, such as those of a whole user, are left out.',
      examples: [{ login: 'admin', password: 'secret' }],
    },
  ),
  errorType: 'Missing credentials',
  responses: {
    200: { description: 'The token.', schema: Token },
    401: {
      description:
        'Login name or password are wrong; or, by the type of the error, a second factor is required, wrong, or not set up.',
    },
    429: {
      description: 'Too many wrong passwords for this login name or from this address.',
      headers: { 'Retry-After': { description: 'Seconds to wait.', schema: Type.Integer({ minimum: 0 }) } },
    },
  },
  async run(context) {
    const { auth, body, clientAddress } = context;
    const account = await login(auth, { ...body, address: clientAddress });
    return ok({ token: await startSession(context, account) });
  },
});

/** POST `@login-renew`: a new token for a token that is still valid. */
const postLoginRenew = defineService({
  name: '@login-renew',
  method: 'POST',
  context: 'site',
  permission: null,
  inPerson: true,
  summary: 'Exchanges a token that is still good for a new one.',
  alone: 'Its response has a secret that is not kept.',
  tag: 'login',
  responses: {
    200: { description: 'The new token.', schema: Token },
    401: { description: 'No token or password came with the request, or it counts no more.' },
  },
  async run({ auth, authentication: { account, token }, clientAddress, headers }) {
    if (!account)
      throw new Unauthorized('Invalid or expired authentication token.', 'Invalid or expired authentication token');
    const origin = originOf(clientAddress, String(headers['user-agent'] ?? ''));
    return ok({ token: await renewSessionToken(auth, { account, token }, origin) });
  },
});

/** Ends the session of a request: its token becomes invalid if the site stores tokens. */
export async function endSession({
  kernel,
  site,
  caller,
  auth,
  authentication,
}: Pick<RequestContext, 'kernel' | 'site' | 'caller' | 'auth' | 'authentication'>): Promise<void> {
  if (authentication.token) await revokeSessionToken(auth, authentication.token);
  await announce(kernel, 'user.loggedOut', site, caller);
}

/** POST `@logout`: the token becomes invalid if the site stores tokens. */
const postLogout = defineService({
  name: '@logout',
  method: 'POST',
  context: 'site',
  permission: null,
  summary: 'Invalidates the token of the request, where the site stores tokens.',
  alone: 'The session counts no more at once.',
  tag: 'login',
  responses: { 204: { description: 'Logged out.' } },
  async run(context) {
    await endSession(context);
    return noContent();
  },
});

export const loginServices: Service[] = [getLogin, postLogin, postLoginRenew, postLogout];
