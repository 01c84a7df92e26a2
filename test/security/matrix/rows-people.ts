import { NEW_PASSWORD, PASSWORD } from './belongings.ts';
import { ADMINISTRATORS, EVERYBODY, LOGGED_IN, MANAGER, ROOT_VIEW, VIEW } from './patterns.ts';
import type { Row } from './row.ts';

const NEW_USER = { username: 'made<n>', email: 'made<n>@example.org', password: NEW_PASSWORD };
const MESSAGE = { name: 'A visitor', from: 'visitor@example.org', subject: 'Hello', message: 'A message.' };
const OWN_PASSWORD = { old_password: PASSWORD, new_password: NEW_PASSWORD };

// biome-ignore format: a table
/**
 * Users, groups and the caller's own account. Columns: Anonymous Member Reader Editor Contrib. Reviewer Owner SiteAdm. Manager
 */
export const PEOPLE: Row[] = [
  { ask: 'GET /@users',                                                   ...ADMINISTRATORS },
  { ask: 'GET /@users', query: 'search=a',                                ...ADMINISTRATORS },
  { ask: 'GET /@users/{id}', with: { id: '<self>' },                      ...LOGGED_IN },
  { ask: 'GET /@users/{id}', with: { id: '<new user>' },                  ...ADMINISTRATORS },
  // Other callers get the same response whether or not the user exists.
  { ask: 'GET /@users/{id}', with: { id: 'no-such-user' }, ok: '404',     ...ADMINISTRATORS },
  { ask: 'PATCH /@users/{id}', with: { id: 'no-such-user' }, json: { fullname: 'N' }, ok: '404',        ...ADMINISTRATORS },
  { ask: 'DELETE /@users/{id}', with: { id: 'no-such-user' }, ok: '404',  ...ADMINISTRATORS },
  { ask: 'POST /@users', json: NEW_USER, ok: '201',                       ...ADMINISTRATORS },
  { ask: 'POST /@users', json: { file: `username,email,password\nread<n>,read<n>@example.org,${PASSWORD}\n` }, ok: '201',         ...ADMINISTRATORS },
  { ask: 'PATCH /@users/{id}', with: { id: '<self>' }, json: { fullname: 'Name <n>' }, ok: '204',       ...LOGGED_IN },
  { ask: 'PATCH /@users/{id}', with: { id: '<new user>' }, json: { fullname: 'Name <n>' }, ok: '204',   ...ADMINISTRATORS },
  { ask: 'DELETE /@users/{id}', with: { id: '<new user>' }, ok: '204',    ...ADMINISTRATORS },
  { ask: 'POST /@users/{id}/@email-notification', with: { id: '<new user>' }, json: MESSAGE, ok: '204', ...ADMINISTRATORS },
  { ask: 'POST /@email-send', json: { ...MESSAGE, to: 'jane@example.org' }, ok: '204',                  ...ADMINISTRATORS },
  { ask: 'POST /{path}/@email-send', json: { ...MESSAGE, to: 'jane@example.org' }, ok: '204',           ...ADMINISTRATORS },
  { ask: 'POST /@email-notification', json: MESSAGE, ok: '204',           ...ROOT_VIEW },
  { ask: 'POST /{path}/@email-notification', json: MESSAGE, ok: '204',    ...VIEW },
  // All callers get the same response for all users.
  { ask: 'POST /@users/{id}/reset-password', with: { id: 'nobody<n>' }, json: {},                       ...EVERYBODY },
  { ask: 'POST /@users/{id}/reset-password', with: { id: '<self>' }, json: OWN_PASSWORD,                ...LOGGED_IN },

  { ask: 'GET /@groups',                                                  ...ADMINISTRATORS },
  { ask: 'GET /@groups/{id}', with: { id: '<new group>' },                ...ADMINISTRATORS },
  { ask: 'POST /@groups', json: { groupname: 'made<n>' }, ok: '201',      ...ADMINISTRATORS },
  { ask: 'PATCH /@groups/{id}', with: { id: '<new group>' }, json: { users: { '<new user>': true } }, ok: '204',                  ...ADMINISTRATORS },
  { ask: 'DELETE /@groups/{id}', with: { id: '<new group>' }, ok: '204',  ...ADMINISTRATORS },

  { ask: 'GET /@principals', query: 'search=a',                           ...ADMINISTRATORS },
  { ask: 'GET /@roles',                                                   ...ROOT_VIEW },
  { ask: 'GET /@roles/{id}', with: { id: 'Editor' },                      ...ROOT_VIEW },
  { ask: 'GET /@userschema',                                              ...ROOT_VIEW },
  { ask: 'GET /@userschema/{form}', with: { form: 'registration' },       ...ROOT_VIEW },
  { ask: 'PATCH /@userschema', json: { properties: { 'field<n>': { title: 'A field' } } }, ok: '204',   ...MANAGER },
  { ask: 'GET /@portrait/{id}', with: { id: 'manager' },                  ...ROOT_VIEW },
  { ask: 'GET /@portrait',
    private:      '401       403    ok     ok     ok       403      403   ok       ok',
    published:    '404       ok     ok     ok     ok       ok       ok    ok       ok' },

  { ask: 'GET /@login',                                                   ...EVERYBODY },
  { ask: 'POST /@login', json: { login: 'admin', password: 'admin' }, ok: '200=',                       ...EVERYBODY },
  { ask: 'POST /@login-renew', ok: '200=',                                ...LOGGED_IN },
  { ask: 'POST /@logout', ok: '204=',                                     ...EVERYBODY },
  { ask: 'GET /@sessions',                                                ...LOGGED_IN },
  { ask: 'DELETE /@sessions/{session}', with: { session: 'x' }, ok: '404', ...LOGGED_IN },
  { ask: 'DELETE /@sessions', ok: '204',                                  ...LOGGED_IN },

  { ask: 'GET /@login-openid', ok: '404',                                 ...EVERYBODY },
  { ask: 'GET /@login-openid/callback', ok: '404',                        ...EVERYBODY },
  { ask: 'GET /@login-openid/{provider}', with: { provider: 'none' }, ok: '404', ...EVERYBODY },
  { ask: 'GET /@login-openid/{provider}/callback', with: { provider: 'none' }, ok: '404', ...EVERYBODY },
  { ask: 'GET /@logout-openid', ok: '404',                                ...EVERYBODY },
  { ask: 'GET /@provider-accounts',                                       ...LOGGED_IN },
  { ask: 'POST /@provider-accounts', json: { provider: 'none' }, ok: '404', ...LOGGED_IN },
  { ask: 'DELETE /@provider-accounts/{account}', with: { account: 'none' }, ok: '404', ...LOGGED_IN },
  { ask: 'DELETE /@users/{id}/@provider-accounts', with: { id: '<user with a provider>' }, ok: '204', ...ADMINISTRATORS },
  { ask: 'GET /@totp',                                                    ...LOGGED_IN },
  { ask: 'POST /@totp', json: { password: PASSWORD },                     ...LOGGED_IN },
  { ask: 'POST /@totp/confirm', json: { password: PASSWORD, otp: 'x' }, ok: '400', ...LOGGED_IN },
  { ask: 'POST /@totp/recovery-codes', json: { password: PASSWORD, otp: 'x' }, ok: '400', ...LOGGED_IN },
  { ask: 'POST /@totp/disable', json: { password: PASSWORD, otp: 'x' }, ok: '400', ...LOGGED_IN },
  { ask: 'DELETE /@users/{id}/@totp', with: { id: '<user with codes>' }, ok: '204', ...ADMINISTRATORS },

  { ask: 'GET /@access-tokens',                                           ...LOGGED_IN },
  { ask: 'GET /@access-tokens/{token}', with: { token: 'x' }, ok: '404',  ...LOGGED_IN },
  { ask: 'POST /@access-tokens', json: { name: 'Token <n>' }, ok: '201',  ...LOGGED_IN },
  { ask: 'DELETE /@access-tokens/{token}', with: { token: '<token of caller>' }, ok: '204', ...LOGGED_IN },
  { ask: 'DELETE /@access-tokens', ok: '204',                             ...LOGGED_IN },
  { ask: 'GET /@users/{id}/@access-tokens', with: { id: '<new user>' },   ...ADMINISTRATORS },
  { ask: 'PATCH /@users/{id}/@access-tokens/{token}', with: { id: '<user with a token>', token: 'token-<user with a token>' }, json: { publishes: true }, ok: '204', ...MANAGER },
  { ask: 'DELETE /@users/{id}/@access-tokens/{token}', with: { id: '<user with a token>', token: 'token-<user with a token>' }, ok: '204', ...ADMINISTRATORS },
  { ask: 'DELETE /@users/{id}/@access-tokens', with: { id: '<user with a token>' }, ok: '204', ...ADMINISTRATORS },
];
