import { type StaticDecode, Type } from 'typebox';
import {
  accounts,
  defineService,
  logins,
  noContent,
  ok,
  panelSettings,
  panels,
  permissions,
  type RequestContext,
  requests,
  type Service,
  type SiteChange,
  schemas,
  secretBox,
  type Transaction,
} from '#core';
import { BadRequest, NotFound, Unauthorized } from '#lib/errors';
import { requireAuthority } from '../people/authority.ts';
import { requireProfile } from '../people/people-json.ts';
import { checkCode, placeOf } from './check-code.ts';
import { hashRecoveryCode, newRecoveryCodes, newSecret, otpauthUri, stepOf, typedCode } from './codes.ts';
import { confirmSecret, findTotp, proposeSecret, removeTotp, replaceRecoveryCodes } from './statements.ts';

/** The user of a request with the password, which is needed even after a login. */
const Who = {
  login: Type.Optional(Type.String({ description: 'Login name, of those who are not logged in.', maxLength: 1000 })),
  password: Type.String({ description: 'The password of the user.', maxLength: 1024 }),
};
const Code = Type.String({ description: 'A code of the app, or a recovery code.', maxLength: 100 });
const RecoveryCodes = Type.Object({
  recovery_codes: Type.Array(Type.String(), {
    description: 'Each works once in place of a code of the app. They are not shown again.',
  }),
});

type WhoBody = { login?: string | undefined; password: string };
type Asking = Pick<RequestContext, 'auth' | 'authentication' | 'clientAddress'>;

/**
 * The account that a request is about. Users who are logged in can only name themselves.
 * @throws Unauthorized for a wrong password, TooManyRequests.
 */
async function requireAccount({ auth, authentication, clientAddress }: Asking, body: WhoBody) {
  const own = authentication.account?.caller.login;
  if (own !== undefined && body.login !== undefined && body.login !== own)
    throw new BadRequest('You can set up a second factor for yourself only.');
  const login = own ?? body.login;
  if (login === undefined) throw new Unauthorized('Send your login name and password.');
  return logins.checkedPassword(auth, { login, password: body.password, address: clientAddress });
}

/** Emits the event of a change of a user's second factor. A user who sets one up may not be logged in yet. */
const emitChange = (
  { kernel, caller }: Pick<RequestContext, 'kernel' | 'caller'>,
  tx: Transaction,
  change: Omit<SiteChange, 'part'>,
): Promise<void> => kernel.events.emit('site.changed', { part: 'second-factor', ...change }, { tx, caller });

const common = { name: '@totp', context: 'site', permission: null, checkPermission: requests.isLoggedIn } as const;
const enrolment = {
  name: '@totp',
  context: 'site',
  permission: null,
  withoutApiPermission: true,
  inPerson: true,
} as const;

/** GET `@totp`: says if the user has a second factor. */
const getTotp = defineService({
  ...common,
  method: 'GET',
  summary: 'Says whether the user who asks has set up codes of an app as a second factor.',
  responses: {
    200: {
      description: 'The second factor.',
      schema: Type.Object({
        '@id': Type.String({ format: 'uri' }),
        enabled: Type.Boolean(),
        since: schemas.Nullable(Type.String({ format: 'date-time' })),
        required: Type.Boolean({ description: 'Whether the site wants it and the user has none.' }),
        recovery_codes_left: Type.Integer(),
      }),
    },
  },
  async run({ db, auth, authentication: { account }, base }) {
    if (!account) throw new Error('A second factor was asked for by nobody');
    const stored = await findTotp(db, account.caller.id);
    return ok({
      '@id': `${base}/@totp`,
      enabled: account.secondFactor !== null,
      since: stored?.confirmed?.toISOString() ?? null,
      required: logins.lacksSecondFactor(auth.tokenOptions(), account),
      recovery_codes_left: stored?.recoveryLeft ?? 0,
    });
  },
});

/** POST `@totp`: makes a secret, which is valid once it is confirmed. */
const postTotp = defineService({
  ...enrolment,
  method: 'POST',
  summary: 'Makes a secret for an authenticator app. It counts once a code of it is sent to `@totp/confirm`.',
  alone: 'Its response has a secret that is not kept.',
  body: Type.Object(Who, { examples: [{ password: 'secret' }] }),
  responses: {
    200: {
      description: 'The secret.',
      schema: Type.Object({
        secret: Type.String({ description: 'In base32, to be typed into an app.' }),
        uri: Type.String({ description: 'The same for a QR code (otpauth).' }),
      }),
    },
    400: { description: 'The user has a second factor already.' },
    401: { description: 'The password is wrong.' },
  },
  async run(context) {
    const { kernel, site, body } = context;
    const { caller } = await requireAccount(context, body);
    const secret = newSecret();
    const box = await secretBox.open(kernel.db, kernel.config.secretsKeys);
    if (!(await proposeSecret(kernel.db, caller.id, box.seal(secret, placeOf(caller.id)))))
      throw new BadRequest('You have a second factor already: switch it off first.');
    const issuer = panelSettings(site, panels.site).site_title || 'Canopy';
    return ok({ secret, uri: otpauthUri(secret, { issuer, label: caller.login }) });
  },
});

/** POST `@totp/confirm`: makes the secret valid. */
const confirmTotp = defineService({
  ...enrolment,
  method: 'POST',
  summary: 'Switches the second factor on, with a code that shows that the app knows the secret.',
  alone: 'Its response has a secret that is not kept.',
  rest: ['confirm'],
  body: Type.Object({ ...Who, otp: Code }),
  responses: {
    200: { description: 'It is on.', schema: RecoveryCodes },
    400: { description: 'The code does not fit the last secret, or there is no secret to confirm.' },
    401: { description: 'The password is wrong.' },
  },
  async run(context) {
    const { kernel, auth, body } = context;
    const { id } = (await requireAccount(context, body)).caller;
    const now = auth.now();
    const stored = await findTotp(kernel.db, id);
    if (!stored || stored.confirmed) throw new BadRequest('There is no secret to confirm: ask for one first.');
    const box = await secretBox.open(kernel.db, kernel.config.secretsKeys);
    const step = stepOf(box.open(stored.secret, placeOf(id)), typedCode(body.otp), now);
    if (step === undefined)
      throw new BadRequest('The code does not fit the secret. Check that the clock of your device is right.');
    const codes = newRecoveryCodes();
    const confirmed = { secret: stored.secret, step, recovery: codes.map(hashRecoveryCode), at: now };
    await kernel.db.transaction(async (tx) => {
      if (!(await confirmSecret(tx, id, confirmed)))
        throw new BadRequest('There is no secret to confirm: ask for one first.');
      await emitChange(context, tx, { id, change: 'switched on' });
    });
    return ok({ recovery_codes: codes });
  },
});

const Proof = Type.Object({ password: Who.password, otp: Code });

/** The account of a user who is logged in and has sent password and code. Throws Unauthorized, TooManyRequests. */
async function requireProof(context: RequestContext<object, object, StaticDecode<typeof Proof>>) {
  const { kernel, auth, body, clientAddress } = context;
  const account = await requireAccount(context, { password: body.password });
  if (account.secondFactor === null) throw new BadRequest('You have no second factor.');
  await checkCode({ kernel, auth }, account, { otp: body.otp, address: clientAddress });
  return account.caller;
}

const PROVED = {
  400: { description: 'The user has no second factor.' },
  401: { description: 'The password or the code is wrong.' },
};

/** POST `@totp/recovery-codes`: new recovery codes. */
const postRecoveryCodes = defineService({
  ...common,
  method: 'POST',
  inPerson: true,
  summary: 'Makes new recovery codes; the old ones are worth nothing any more.',
  alone: 'Its response has a secret that is not kept.',
  rest: ['recovery-codes'],
  body: Proof,
  responses: { 200: { description: 'The new codes.', schema: RecoveryCodes }, ...PROVED },
  async run(context) {
    const { id } = await requireProof(context);
    const codes = newRecoveryCodes();
    await context.kernel.db.transaction(async (tx) => {
      await replaceRecoveryCodes(tx, id, codes.map(hashRecoveryCode));
      await emitChange(context, tx, { id, change: 'edited', names: ['recovery_codes'] });
    });
    return ok({ recovery_codes: codes });
  },
});

/** POST `@totp/disable`: removes the second factor; logins then need only the password. */
const disableTotp = defineService({
  ...common,
  method: 'POST',
  inPerson: true,
  summary: 'Switches the second factor of the user who asks off.',
  alone: 'Wrong passwords are counted, also when nothing else is done.',
  rest: ['disable'],
  body: Proof,
  responses: { 204: { description: 'It is off.' }, ...PROVED },
  async run(context) {
    const { id } = await requireProof(context);
    await context.kernel.db.transaction(async (tx) => {
      if (await removeTotp(tx, id)) await emitChange(context, tx, { id, change: 'switched off' });
    });
    return noContent();
  },
});

/** DELETE `@users/<id>/@totp`: removes the second factor of a user who has lost the app and the recovery codes. */
const resetTotp = defineService({
  name: '@users',
  method: 'DELETE',
  context: 'site',
  permission: permissions.MANAGE_USERS,
  inPerson: true,
  tag: 'totp',
  summary: 'Takes the second factor of a user away, who can set up another one then.',
  rest: ['{id}/@totp'],
  responses: {
    204: { description: 'The user has none any more.' },
    404: { description: 'There is no such user, or the user has none.' },
  },
  async run(context) {
    const { kernel, db, site, caller, params } = context;
    const { id, roles } = await requireProfile(db, params.id);
    if (id !== caller.id) requireAuthority(site, caller, roles);
    if (id === caller.id && (await accounts.load(db, id))?.secondFactor)
      throw new BadRequest('Switch off your own second factor with POST to @totp/disable, by a code.');
    await kernel.db.transaction(async (tx) => {
      if (!(await removeTotp(tx, id))) throw new NotFound(`/@users/${id}/@totp`);
      await emitChange(context, tx, { id, change: 'removed' });
    });
    return noContent();
  },
});

export const totpServices: Service[] = [getTotp, postTotp, confirmTotp, postRecoveryCodes, disableTotp, resetTotp];
