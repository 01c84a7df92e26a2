import {
  type Command,
  type CommandArguments,
  type CommandOption,
  type CommandReport,
  callers,
  type Kernel,
  UsageError,
} from '#core';
import { NotFound, ValidationFailed } from '#lib/errors';
import type { JsonObject } from '#lib/json-object';
import { askPassword, readPassword } from '#lib/process/ask-password';
import { PartCheck } from '#lib/schema/check-part';
import { fieldProblem } from '#lib/schema/schema-problems';
import { emailAsLogin } from './person-rules.ts';
import { countProfiles, listProfiles, type Profile, profilesById } from './statements/accounts.ts';
import { NewUserBody, type NewUserInput } from './user-body.ts';
import { updateUser, userPath } from './user-changes.ts';
import { createUser } from './user-creation.ts';

/** The check of a new user, with the rules for the body of POST `@users`. */
const BODY = new PartCheck<NewUserInput>(NewUserBody, { others: 'refused' });

/** Number of users in a list by default, and maximum. */
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 10_000;

const ID = { name: 'id', description: 'The id of the user, which is the user name unless the site makes ids.' };

const FROM_STDIN: CommandOption = {
  type: 'boolean',
  description: 'Reads the password from standard input, its first line. Else it is asked for.',
};

/**
 * Gets a new password from standard input or, on a terminal, by prompting for it twice. An argument would be visible to others on the machine. Throws
 * UsageError.
 */
async function newPassword(options: CommandArguments['options']): Promise<string> {
  const { stdin: input, stderr: output } = process;
  if (options['password-stdin'] === true) {
    const password = await readPassword(input);
    if (password === '') throw new UsageError('There is no password on standard input.');
    return password;
  }
  if (!input.isTTY)
    throw new UsageError('Nobody can be asked for the password: give it on standard input, with --password-stdin.');
  const password = await askPassword('New password: ', { input, output });
  if ((await askPassword('The same again: ', { input, output })) !== password)
    throw new UsageError('The two passwords differ.');
  return password;
}

async function requireUser({ db }: Kernel, id: string): Promise<Profile> {
  const [user] = await profilesById(db, [id]);
  if (!user) throw new NotFound(userPath(id), `There is no user "${id}". See canopy user list.`);
  return user;
}

const groupsOf = ({ groups }: Profile): string[] =>
  groups.map(({ id }) => id).filter((id) => id !== callers.AUTHENTICATED_USERS);

const userData = (user: Profile): JsonObject => ({
  id: user.id,
  username: user.login,
  fullname: user.fullname,
  email: user.email,
  roles: user.ownRoles,
  groups: groupsOf(user),
  enabled: user.disabled === null,
  disabled: user.disabled?.toISOString() ?? null,
  second_factor: user.hasSecondFactor,
  last_login: user.lastLogin?.toISOString() ?? null,
});

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

const addCommand: Command = {
  name: 'user add',
  summary: 'make a user',
  description:
    'By the rules of POST @users. The password is asked for, read from standard input, or set by the user through a mail.',
  operands: [{ name: 'name', description: 'The user name; where people log in with their e-mail address, that.' }],
  options: {
    email: { type: 'string', value: 'address', description: 'The e-mail address.' },
    fullname: { type: 'string', value: 'name', description: 'The full name.' },
    role: {
      type: 'string',
      value: 'role',
      multiple: true,
      description: 'A role on the whole site. Member unless given.',
    },
    group: { type: 'string', value: 'id', multiple: true, description: 'A group to be in.' },
    'password-stdin': FROM_STDIN,
    'send-link': { type: 'boolean', description: 'Mails the user a link to set the password.' },
    disabled: { type: 'boolean', description: 'Makes the user without the right to log in.' },
  },
  example: 'user add jane --email jane@example.org --role Editor --password-stdin < password.txt',
  json: 'The new user, as in `user list`.',
  async run({ open }, { operands: [name = ''], options }) {
    const byMail = options['send-link'] === true;
    if (byMail && options['password-stdin'] === true)
      throw new UsageError('--send-link and --password-stdin exclude each other.');
    const kernel = await open();
    const usesEmail = emailAsLogin(await kernel.sites.current());
    if (usesEmail && options.email !== undefined && options.email !== name)
      throw new UsageError('People log in with their e-mail address here: give it as the name.');
    const roles = listOf(options.role);
    const checked = BODY.check({
      ...(usesEmail ? {} : { username: name }),
      email: options.email ?? (usesEmail ? name : ''),
      fullname: options.fullname ?? '',
      ...(roles.length > 0 ? { roles } : {}),
      groups: listOf(options.group),
      enabled: options.disabled !== true,
      ...(byMail ? { sendPasswordReset: true } : { password: await newPassword(options) }),
    });
    if (!('value' in checked)) throw new ValidationFailed(checked.problems.map(fieldProblem));
    const id = await createUser(kernel, { caller: callers.system(), input: checked.value, address: '' });
    const user = await requireUser(kernel, id);
    return { lines: [`The user ${id} is made, with the roles ${user.ownRoles.join(', ')}.`], data: userData(user) };
  },
};

/** A table as lines, each column as wide as its longest value. */
function tableLines(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

const rowOf = (user: Profile): string[] => [
  user.id,
  user.login === user.id ? '' : user.login,
  user.fullname,
  user.email,
  user.ownRoles.join(','),
  groupsOf(user).join(','),
  user.disabled ? `disabled ${user.disabled.toISOString().slice(0, 10)}` : 'enabled',
  user.lastLogin?.toISOString().slice(0, 10) ?? 'never',
];

const HEAD = ['id', 'logs in as', 'full name', 'e-mail', 'roles', 'groups', 'state', 'last login'];

/** Parses a number of users. Throws UsageError. */
function parseCount(name: string, value: unknown, max: number): number {
  const count = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  if (!(count <= max)) throw new UsageError(`--${name} must be a whole number up to ${max}.`);
  return count;
}

const listCommand: Command = {
  name: 'user list',
  summary: 'list users with their roles, groups, state and last login',
  options: {
    search: { type: 'string', value: 'text', description: 'Part of the id, the name, the address.' },
    group: { type: 'string', value: 'id', multiple: true, description: 'Only members of the group.' },
    limit: { type: 'string', value: 'number', default: String(DEFAULT_LIMIT), description: 'Users at most.' },
    start: { type: 'string', value: 'number', default: '0', description: 'Users to leave out at the beginning.' },
  },
  example: 'user list --search jane --json',
  json: '`items_total`, and `items` with `id`, `username`, `fullname`, `email`, `roles`, `groups`, `enabled`, `disabled` (when), `second_factor` and `last_login`.',
  async run({ open }, { options }) {
    const limit = parseCount('limit', options.limit, MAX_LIMIT);
    const offset = parseCount('start', options.start, 999_999_999);
    const groups = listOf(options.group);
    const filter = {
      search: typeof options.search === 'string' ? options.search : undefined,
      groups: groups.length > 0 ? groups : undefined,
    };
    const { db } = await open();
    const users = await listProfiles(db, { ...filter, limit, offset });
    const total = await countProfiles(db, filter);
    const rest = total - offset - users.length;
    return {
      lines: [],
      result: [
        ...tableLines([HEAD, ...users.map(rowOf)]),
        ...(rest > 0 ? [`${rest} more: --start=${offset + users.length}, or --search.`] : []),
      ],
      data: { items: users.map(userData), items_total: total },
    };
  },
};

/** Enables or disables a user like PATCH `@users/<id>`. */
async function setState(kernel: Kernel, id: string, enabled: boolean): Promise<CommandReport> {
  const before = await requireUser(kernel, id);
  await updateUser(kernel, { caller: callers.system(), id, input: { enabled } });
  const user = await requireUser(kernel, id);
  const state = enabled ? 'enabled' : 'disabled';
  const isSame = (before.disabled === null) === enabled;
  const done = enabled ? `${id} can log in again.` : `${id} can no longer log in. Sessions and tokens have ended.`;
  return { lines: [isSame ? `${id} is ${state} already.` : done], data: userData(user) };
}

const disableCommand: Command = {
  name: 'user disable',
  summary: 'keep a user from logging in, and end sessions and tokens',
  description: 'Content and rights stay. The last Manager who can log in stays enabled.',
  operands: [ID],
  example: 'user disable jane',
  json: 'The user, as in `user list`.',
  run: async ({ open }, { operands: [id = ''] }) => setState(await open(), id, false),
};

const enableCommand: Command = {
  name: 'user enable',
  summary: 'let a disabled user log in again',
  description: 'Sessions from before stay ended; personal access tokens work again.',
  operands: [ID],
  example: 'user enable jane',
  json: 'The user, as in `user list`.',
  run: async ({ open }, { operands: [id = ''] }) => setState(await open(), id, true),
};

const passwordCommand: Command = {
  name: 'user password',
  summary: 'set the password of a user, and end sessions and tokens',
  description: 'To have a new one made up and printed, see canopy reset-password.',
  operands: [ID],
  options: { 'password-stdin': FROM_STDIN },
  example: 'user password jane --password-stdin < password.txt',
  json: 'The user, as in `user list`.',
  async run({ open }, { operands: [id = ''], options }) {
    const kernel = await open();
    const user = await requireUser(kernel, id);
    const password = await newPassword(options);
    await updateUser(kernel, { caller: callers.system(), id, input: { password } });
    return { lines: [`${id} has a new password. Sessions and tokens have ended.`], data: userData(user) };
  },
};

/** The commands of users. They follow the rules of the endpoints, and the audit log names the system as their actor. */
export const userCommands: readonly Command[] = [
  addCommand,
  listCommand,
  disableCommand,
  enableCommand,
  passwordCommand,
];
