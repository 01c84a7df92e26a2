import { NEW_PASSWORD, OTHER_PICTURE, PASSWORD } from './belongings.ts';
import { ADMINISTRATORS, DELEGATE, MANAGER, MODIFY, NOBODY, ROOT_DELEGATE } from './patterns.ts';
import type { Row } from './row.ts';

const SELF = { id: '<self>' };
const PERSON = { username: 'more<n>', email: 'more<n>@example.org', password: NEW_PASSWORD };
const share = (role: string, id = '<self>') => ({ entries: [{ id, type: 'user', roles: { [role]: true } }] });

// biome-ignore format: a table
/**
 * Attempts to give users and groups more than the caller's own rights. Columns: Anonymous Member Reader Editor Contrib.
 * Reviewer Owner SiteAdm. Manager
 */
export const ESCALATION_PEOPLE: Row[] = [
  // Roles for the caller's own account. A role that the caller already has is accepted without a change.
  { ask: 'PATCH /@users/{id}', with: SELF, json: { roles: { Manager: true } }, ok: '204=',              ...MANAGER },
  { ask: 'PATCH /@users/{id}', with: SELF, json: { roles: ['Member', 'Manager', 'Site Administrator'] }, ok: '204',               ...MANAGER },
  { ask: 'PATCH /@users/{id}', with: SELF, json: { roles: { Reviewer: true } }, ok: '204',
    private:      '401       403    403    403    403      204=     403   ok       ok',
    published:    '401       403    403    403    403      204=     403   ok       ok' },
  { ask: 'PATCH /@users/{id}', with: SELF, json: { username: 'called<n>' }, ok: '204',                  ...ADMINISTRATORS },
  // Roles for other users, and changes of users with such roles.
  { ask: 'PATCH /@users/{id}', with: { id: '<new user>' }, json: { roles: ['Reviewer'] }, ok: '204',    ...ADMINISTRATORS },
  { ask: 'PATCH /@users/{id}', with: { id: '<new user>' }, json: { roles: ['Manager'] }, ok: '204',     ...MANAGER },
  { ask: 'PATCH /@users/{id}', with: { id: '<new manager>' }, json: { fullname: 'N <n>' }, ok: '204',   ...MANAGER },
  { ask: 'PATCH /@users/{id}', with: { id: '<new manager>' }, json: { email: 'taken<n>@example.org' }, ok: '204',                 ...MANAGER },
  { ask: 'PATCH /@users/{id}', with: { id: '<new manager>' }, json: { roles: { Manager: false } }, ok: '204',                     ...MANAGER },
  { ask: 'DELETE /@users/{id}', with: { id: '<new manager>' }, ok: '204', ...MANAGER },
  { ask: 'DELETE /@users/{id}', with: { id: '<new manager by group>' }, ok: '204',                      ...MANAGER },
  { ask: 'POST /@users', json: { ...PERSON, roles: ['Manager'] }, ok: '201',                            ...MANAGER },
  { ask: 'POST /@users', json: { ...PERSON, groups: ['Administrators'] }, ok: '201',                    ...MANAGER },
  { ask: 'POST /@users', json: { file: `username,email,password,roles\nline<n>,line<n>@example.org,${PASSWORD},Manager\n` }, ok: '201', ...MANAGER },

  // Passwords and pictures.
  { ask: 'PATCH /@users/{id}', with: SELF, json: { password: NEW_PASSWORD },                            ...NOBODY },
  { ask: 'PATCH /@users/{id}', with: { id: '<new user>' }, json: { password: NEW_PASSWORD }, ok: '204', ...ADMINISTRATORS },
  { ask: 'PATCH /@users/{id}', with: { id: '<new manager>' }, json: { password: NEW_PASSWORD }, ok: '204',                        ...MANAGER },
  { ask: 'PATCH /@users/{id}', with: { id: '<new user>' }, json: { portrait: OTHER_PICTURE }, ok: '204',                          ...ADMINISTRATORS },
  { ask: 'PATCH /@users/{id}', with: { id: '<new manager>' }, json: { portrait: OTHER_PICTURE }, ok: '204',                       ...MANAGER },
  { ask: 'POST /@users/{id}/reset-password', with: { id: '<new user>' }, json: { old_password: PASSWORD, new_password: NEW_PASSWORD }, ...NOBODY },
  { ask: 'POST /@users/{id}/reset-password', with: SELF, json: { reset_token: '<session>', new_password: NEW_PASSWORD },
    private:      '403       403    403    403    403      403      403   403      403',
    published:    '403       403    403    403    403      403      403   403      403' },

  // Groups: their roles, and members with more roles.
  { ask: 'POST /@groups', json: { groupname: 'more<n>', roles: ['Reviewer'], users: ['<self>'] }, ok: '201',                      ...ADMINISTRATORS },
  { ask: 'POST /@groups', json: { groupname: 'more<n>', roles: ['Manager'], users: ['<self>'] }, ok: '201',                       ...MANAGER },
  { ask: 'PATCH /@groups/{id}', with: { id: '<new group>' }, json: { roles: ['Manager'] }, ok: '204',   ...MANAGER },
  { ask: 'PATCH /@groups/{id}', with: { id: '<new group of managers>' }, json: { users: { '<self>': true } }, ok: '204',          ...MANAGER },
  { ask: 'PATCH /@groups/{id}', with: { id: '<new group of managers>' }, json: { groups: { '<new group>': true } }, ok: '204',    ...MANAGER },
  { ask: 'PATCH /@groups/{id}', with: { id: '<new group of managers>' }, json: { title: 'T' }, ok: '204',                         ...MANAGER },
  { ask: 'DELETE /@groups/{id}', with: { id: '<new group of managers>' }, ok: '204',                    ...MANAGER },
  { ask: 'PATCH /@groups/{id}', with: { id: 'AuthenticatedUsers' }, json: { roles: { Manager: true } },
    private:      '401       403    403    403    403      403      403   403      400',
    published:    '401       403    403    403    403      403      403   403      400' },
];

// biome-ignore format: a table
/** Attempts to change content beyond the caller's own rights. */
export const ESCALATION_CONTENT: Row[] = [
  // Local roles: only those that the caller may delegate are given, and the rest of the request is ignored.
  { ask: 'POST /{path}/@sharing', with: { path: '<new page>' }, json: share('Manager'), ok: '204=',     ...DELEGATE },
  { ask: 'POST /{path}/@sharing', with: { path: '<new page>' }, json: share('Site Administrator'), ok: '204=',                    ...DELEGATE },
  { ask: 'POST /{path}/@sharing', with: { path: '<new page>' }, json: share('Owner'), ok: '204=',       ...DELEGATE },
  { ask: 'POST /{path}/@sharing', with: { path: '<new page>' }, json: share('Contributor', '<new user>'), ok: '204',
    private:      '401       403    403    204=   403      403      ok    ok       ok',
    published:    '401       403    403    204=   403      204=     ok    ok       ok' },
  { ask: 'POST /{path}/@sharing', with: { path: '<new page>' }, json: share('Reviewer', '<new user>'), ok: '204',
    private:      '401       403    403    204=   403      403      204=  ok       ok',
    published:    '401       403    403    204=   403      ok       204=  ok       ok' },
  { ask: 'POST /{path}/@sharing', with: { path: '<new page>' }, json: { inherit: false }, ok: '204',    ...MODIFY },
  { ask: 'POST /@sharing', json: share('Manager'), ok: '204=',            ...ROOT_DELEGATE },

  // Members of a body that no client can set: internal ids, the state, the owner, roles.
  { ask: 'POST /{path}', json: { '@type': 'Page', title: 'Child <n>', UID: '<uuid>' }, ok: '201',       ...MANAGER },
  { ask: 'PATCH /{path}', json: { UID: '<uuid>', review_state: 'pending', owner: '<self>', local_roles: { 'user:<self>': ['Manager'] }, inherit_roles: false, path: '/' }, ok: '204=', ...MODIFY },
  { ask: 'POST /{path}', json: { '@type': 'Site', title: 'Another root' },                              ...NOBODY },

  // Locks of other users.
  { ask: 'PATCH /{path}', with: { path: '<page locked by another>' }, json: { title: 'Changed <n>' },   ...NOBODY },
  { ask: 'DELETE /{path}', with: { path: '<page locked by another>' },    ...NOBODY },
  { ask: 'POST /{path}/@lock', with: { path: '<page locked by another>' }, ok: '200=',                  ...MODIFY },
  { ask: 'PATCH /{path}/@lock', with: { path: '<page locked by another>' },                             ...NOBODY },
  { ask: 'PATCH /{path}/@history', with: { path: '<page locked by another>' }, json: { version: 0 },    ...NOBODY },
  { ask: 'POST /{path}/@move', json: { source: '<page locked by another>' },                            ...NOBODY },
  { ask: 'DELETE /{path}/@lock', with: { path: '<page locked by another>' }, ok: '200=',                ...MODIFY },
  { ask: 'DELETE /{path}/@lock', with: { path: '<page locked by another>' }, json: { force: true },     ...MODIFY },
  { ask: 'PATCH /{path}', with: { path: '<checked-out page>' }, json: { title: 'Changed <n>' },         ...NOBODY },

  // Content of other users. Callers can move into their own container only what they may view and delete.
  { ask: 'POST /{path}/@move', json: { source: '<page of another>' },
    private:      '401       403    403    403    403      403      200=  ok       ok',
    published:    '401       403    403    403    403      403      403   ok       ok' },
  { ask: 'POST /{path}/@copy', json: { source: '<page of another>' },
    private:      '401       403    403    403    ok       403      200=  ok       ok',
    published:    '401       403    403    403    ok       403      ok    ok       ok' },
  { ask: 'POST /{path}/@aliases', with: { path: '<page of another>' }, json: { items: ['/alias-<n>'] }, ok: '201',
    private:      '401       403    403    ok     403      403      403   ok       ok',
    published:    '401       403    403    ok     403      403      403   ok       ok' },
  { ask: 'DELETE /{path}/@aliases', with: { path: '<page of another>' }, json: { items: ['<new alias>'] },
    private:      '401       403    403    200=   403      403      403   200=     200=',
    published:    '401       403    403    200=   403      403      403   200=     200=' },
  { ask: 'POST /@relations', json: { items: [{ source: '<page of another>', target: '<page>', relation: 'relatedItems' }] }, ok: '204',
    private:      '401       403    403    ok     403      403      403   ok       ok',
    published:    '401       403    403    ok     403      403      403   ok       ok' },

  // Restoring from the recycle bin needs the permissions on the container.
  { ask: 'POST /@recyclebin/{recycle_id}/restore', with: { recycle_id: '<entry of owner>' }, json: { target_path: '/' },
    private:      '401       403    403    403    403      403      400   403      ok',
    published:    '401       403    403    403    403      403      403   403      ok' },
];
