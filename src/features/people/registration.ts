import {
  type Caller,
  type Database,
  type Kernel,
  type Property,
  panelSettings,
  panels,
  requestLimits,
  requests,
  type Site,
} from '#core';
import { BadRequest, TooManyRequests } from '#lib/errors';
import { HOUR_MS } from '#lib/time/milliseconds';
import { emailAsLogin } from './person-rules.ts';
import { userType } from './user-type.ts';

/** True if the caller may register: visitors may, if the site allows it (`enable_self_reg`). */
export const mayRegister = (site: Site, caller: Caller): boolean =>
  caller.id === null && panelSettings(site, panels.security).enable_self_reg;

/** Says if visitors choose their password when they register (`enable_user_pwd_choice`). */
export const mayChoosePassword = (site: Site): boolean => panelSettings(site, panels.security).enable_user_pwd_choice;

const WINDOW_MS = HOUR_MS;

/** Requests of each kind that one network may send per hour: more than an office needs, less than an attacker wants. */
const REQUEST_LIMITS = { 'reset-password': 60, register: 30, comment: 30 };

/**
 * Counts a request of an anonymous visitor. Each request counts, whatever its outcome, so that the limit does not show which users exist. Throws
 * TooManyRequests when the network has used up its limit for the hour, and BadRequest in a transaction that is rolled back with the request, which
 * would not count.
 */
export async function admitVisitor(db: Database, kind: keyof typeof REQUEST_LIMITS, address: string): Promise<void> {
  // A rejected comment reveals nothing about users.
  if (kind !== 'comment' && requests.isShared(db))
    throw new BadRequest(
      'An Idempotency-Key is not possible here. Requests of visitors are counted, also those that are rejected.',
    );
  const at = new Date();
  const request = { kind, sender: requests.networkOf(address), at, since: new Date(at.getTime() - WINDOW_MS) };
  const admitted = await db.transaction((tx) => requestLimits.record(tx, request, REQUEST_LIMITS[kind]));
  if (!admitted)
    throw new TooManyRequests('Too many requests from your network. Try again in an hour.', WINDOW_MS / 1000);
}

const LINE = 'Text line (String)';

const ACCOUNT_PROPERTIES: Record<string, Property> = {
  username: {
    title: 'User Name',
    description:
      "Enter a user name, usually something like 'jsmith'. No spaces or special characters. This is the name used to log in.",
    type: 'string',
    factory: LINE,
  },
  password: {
    title: 'Password',
    description: 'Enter your new password.',
    type: 'string',
    factory: 'Password',
    widget: 'password',
  },
  password_ctl: {
    title: 'Confirm password',
    description: 'Re-enter the password. Make sure the passwords are identical.',
    type: 'string',
    factory: 'Password',
    widget: 'password',
  },
  mail_me: {
    title: 'Send a confirmation mail with a link to set the password',
    description: '',
    type: 'boolean',
    factory: 'Yes/No',
    default: false,
  },
};

/**
 * The registration form: name, address, the other required fields of users, user name (unless users log in with their
 * address) and password (plone.restapi, recorded `userschema_registration`).
 */
export function registrationSchema(
  kernel: Pick<Kernel, 'slots' | 'fieldKinds'>,
  site: Site,
): {
  fields: string[];
  properties: Record<string, Property>;
  required: string[];
} {
  const { properties, required } = userType(kernel, site);
  const more = required.filter((name) => name !== 'fullname' && name !== 'email');
  const own = Object.keys(ACCOUNT_PROPERTIES).filter((name) => name !== 'username' || !emailAsLogin(site));
  const fields = ['fullname', 'email', ...more, ...own];
  return {
    fields,
    properties: Object.fromEntries(
      fields.flatMap((name) => {
        const property = ACCOUNT_PROPERTIES[name] ?? properties[name];
        return property ? [[name, property]] : [];
      }),
    ),
    required: [...new Set(['email', ...required, ...own.filter((name) => name !== 'mail_me')])],
  };
}
