import { afterAll, beforeEach, expect, test } from 'vitest';
import { findByLogin, loadAccount, replaceHash, setPassword } from '../../src/core/people/accounts.ts';
import { ANONYMOUS } from '../../src/core/security/caller.ts';
import type { Queryable } from '../../src/database/database.ts';
import { addAccount, addGroup, clearAuthTables, openDatabase } from './auth-site.ts';

const db = await openDatabase();
beforeEach(() => clearAuthTables(db));
afterAll(() => db.close());

const sorted = (values: readonly string[] | undefined) => [...(values ?? [])].sort();

test('nobody has the role Anonymous alone and sees what is open to it; no request can change that', () => {
  expect(ANONYMOUS).toEqual({
    id: null,
    login: '',
    fullname: '',
    roles: ['Anonymous'],
    groups: [],
    principals: ['role:Anonymous'],
  });
  for (const list of [ANONYMOUS.roles, ANONYMOUS.groups, ANONYMOUS.principals])
    expect(Object.isFrozen(list)).toBe(true);
});

test('a user without groups is Authenticated and in the virtual group', async () => {
  await addAccount(db, 'joe', { login: 'joe@example.org', fullname: 'Joe', roles: ['Member', 'Anonymous'] });
  const account = await loadAccount(db, 'joe');
  expect(account).toMatchObject({
    caller: { id: 'joe', login: 'joe@example.org', fullname: 'Joe', groups: ['AuthenticatedUsers'] },
    email: '',
    password: null,
  });
  expect(sorted(account?.caller.roles)).toEqual(['Authenticated', 'Member']);
  expect(sorted(account?.caller.principals)).toEqual(
    sorted(['role:Anonymous', 'role:Authenticated', 'role:Member', 'user:joe', 'group:AuthenticatedUsers']),
  );
});

test('roles come from all groups, nested and in a cycle, and only from the groups of the user', async () => {
  await addAccount(db, 'joe', { roles: ['Member'] });
  await addGroup(db, 'inner', ['Reader'], ['joe']);
  await addGroup(db, 'middle', ['Editor', 'Member'], [], ['inner']);
  await addGroup(db, 'outer', [], [], ['middle']);
  await addGroup(db, 'other', ['Manager'], ['jane', 'inner'], ['joe']);
  await db.query({ text: `insert into group_member values ('inner', 'outer', true)` });
  const account = await loadAccount(db, 'joe');
  expect(sorted(account?.caller.groups)).toEqual(['AuthenticatedUsers', 'inner', 'middle', 'outer']);
  expect(sorted(account?.caller.roles)).toEqual(['Authenticated', 'Editor', 'Member', 'Reader']);
});

test('roles and groups given to AuthenticatedUsers count for every user', async () => {
  await addAccount(db, 'joe');
  await addGroup(db, 'AuthenticatedUsers', ['Contributor'], []);
  await addGroup(db, 'staff', ['Reviewer'], [], ['AuthenticatedUsers']);
  const account = await loadAccount(db, 'joe');
  expect(sorted(account?.caller.roles)).toEqual(['Authenticated', 'Contributor', 'Reviewer']);
  expect(account?.caller.principals).toContain('group:staff');
});

test('an account is found by login or by id, in one statement each, and never by the other', async () => {
  await addAccount(db, 'id-1', { login: 'joe', password: 'stored' });
  await addGroup(db, 'staff', ['Reviewer'], ['id-1']);
  let statements = 0;
  const counting: Queryable = {
    query: (statement) => {
      statements += 1;
      return db.query(statement);
    },
  };
  const asOf = new Date(5);
  const byLogin = await findByLogin(counting, 'joe', asOf);
  expect(statements).toBe(1);
  expect(byLogin).toEqual(await loadAccount(counting, 'id-1', asOf));
  expect(statements).toBe(2);
  expect(byLogin?.password).toBe('stored');
  expect(await loadAccount(db, 'joe')).toBeNull();
  expect(await findByLogin(db, 'id-1')).toBeNull();
});

test('names that the database cannot hold are nobody, not an error', async () => {
  for (const name of ['a\0b', '\ud800', '', `' or 1=1 --`, 'x'.repeat(100_000)]) {
    expect(await findByLogin(db, name)).toBeNull();
    expect(await loadAccount(db, name)).toBeNull();
  }
});

test('a better hash does not undo a password change that came between', async () => {
  await addAccount(db, 'joe', { password: 'old' });
  expect(await setPassword(db, 'joe', 'new', new Date())).toBe(true);
  await replaceHash(db, 'joe', 'old', 'old, better');
  expect((await loadAccount(db, 'joe'))?.password).toBe('new');
  await replaceHash(db, 'joe', 'new', 'new, better');
  expect((await loadAccount(db, 'joe'))?.password).toBe('new, better');
  expect(await setPassword(db, 'nobody', 'new', new Date())).toBe(false);
});
