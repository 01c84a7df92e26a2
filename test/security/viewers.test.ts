import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ANONYMOUS, type Caller, callerFor } from '../../src/core/security/caller.ts';
import { can, inactiveViewersOf, type SecurityNode, viewersOf } from '../../src/core/security/can.ts';
import { ACCESS_INACTIVE, MODIFY, VIEW } from '../../src/core/security/permissions.ts';

const ROLES = ['Anonymous', 'Authenticated', 'Member', 'Owner', 'Reader', 'Editor', 'Manager'];
const USERS = ['ann', 'bob', 'Reader'];
const GROUPS = ['staff', 'AuthenticatedUsers', 'ann'];

const someRoles = fc.subarray(ROLES);
const setting = fc.record({ roles: someRoles, acquire: fc.boolean() });
const principal = fc.constantFrom(...USERS.map((id) => `user:${id}`), ...GROUPS.map((id) => `group:${id}`));

const node: fc.Arbitrary<SecurityNode> = fc.record({
  localRoles: fc.dictionary(principal, someRoles, { maxKeys: 3 }),
  inheritRoles: fc.boolean(),
  settings: fc
    .record({ [VIEW]: setting, [MODIFY]: setting, [ACCESS_INACTIVE]: setting }, { requiredKeys: [] })
    .map((settings) => ({ ...settings })),
});
const base: SecurityNode = { localRoles: {}, inheritRoles: true, settings: {} };
const chain = fc.array(node, { minLength: 1, maxLength: 5 });
const roleMap = fc.record({ [VIEW]: someRoles }, { requiredKeys: [] }).map((map) => ({ ...map }));

const caller: fc.Arbitrary<Caller> = fc.oneof(
  { weight: 1, arbitrary: fc.constant(ANONYMOUS) },
  {
    weight: 4,
    arbitrary: fc
      .record({ id: fc.constantFrom(...USERS), roles: someRoles, groups: fc.subarray(GROUPS) })
      .map(({ id, roles, groups }) => callerFor({ id, login: id, fullname: '', roles, groups })),
  },
);

describe('the index of viewers', () => {
  it('the index of viewers holds exactly those who may view the object', () => {
    const seen = { yes: 0, no: 0 };
    fc.assert(
      fc.property(caller, chain, roleMap, (who, nodes, map) => {
        const allowed = new Set(viewersOf(nodes, map));
        const listed = who.principals.some((token) => allowed.has(token));
        seen[listed ? 'yes' : 'no'] += 1;
        expect(listed).toBe(can(VIEW, who, nodes, map));
      }),
      { numRuns: 2000 },
    );
    // If nearly all generated cases had the same result, the property would prove little.
    expect(Math.min(seen.yes, seen.no)).toBeGreaterThan(200);
  });

  it('both indexes together hold exactly those who may view an object outside of its dates where these act', () => {
    const seen = { yes: 0, no: 0 };
    fc.assert(
      fc.property(caller, chain, roleMap, (who, [own, ...above], map) => {
        const nodes = [{ ...(own ?? base), path: '/page', hidden: true }, ...above];
        const [allowed, inactive] = [new Set(viewersOf(nodes, map)), new Set(inactiveViewersOf(nodes, map))];
        const listed = [allowed, inactive].every((tokens) => who.principals.some((token) => tokens.has(token)));
        seen[listed ? 'yes' : 'no'] += 1;
        expect(listed).toBe(can(VIEW, who, nodes, map));
        // A comment on it has no dates and no path of its own.
        if (!listed) expect(can(VIEW, who, [base, ...nodes], map)).toBe(false);
      }),
      { numRuns: 2000 },
    );
    expect(Math.min(seen.yes, seen.no)).toBeGreaterThan(200);
  });

  it('the index of viewers does not depend on the order in which roles and principals were stored', () => {
    const reversed = <T>(record: Record<string, T>) => Object.fromEntries(Object.entries(record).reverse());
    fc.assert(
      fc.property(chain, roleMap, (nodes, map) => {
        const shuffled = nodes.map(({ localRoles, ...rest }) => ({ ...rest, localRoles: reversed(localRoles) }));
        expect(viewersOf(shuffled, map)).toEqual(viewersOf(nodes, map));
      }),
      { numRuns: 200 },
    );
  });
});

describe('can()', () => {
  const ann = callerFor({ id: 'ann', login: 'ann', fullname: '', roles: ['Member'], groups: ['staff'] });

  it('a setting that does not acquire hides those above it, roles of the site included', () => {
    const closed = { ...base, settings: { [VIEW]: { roles: ['Manager'], acquire: false } } };
    expect(can(VIEW, ann, [base, closed, base], { [VIEW]: ['Anonymous'] })).toBe(false);
    const open = { ...base, settings: { [VIEW]: { roles: ['Member'], acquire: true } } };
    expect(can(VIEW, ann, [open, closed], {})).toBe(true);
  });

  it('local roles reach down until a node cuts them off', () => {
    const shared = { ...base, localRoles: { 'group:staff': ['Reader'] } };
    const readers = { [VIEW]: ['Reader'] };
    expect(can(VIEW, ann, [base, base, shared], readers)).toBe(true);
    expect(can(VIEW, ann, [base, { ...base, inheritRoles: false }, shared], readers)).toBe(false);
    expect(can(VIEW, ann, [{ ...shared, inheritRoles: false }, base], readers)).toBe(true);
  });

  it('a local role of a user is not one of the group of the same name', () => {
    const shared = { ...base, localRoles: { 'user:staff': ['Reader'] } };
    expect(can(VIEW, ann, [shared], { [VIEW]: ['Reader'] })).toBe(false);
  });

  it('nobody has a permission that nothing gives', () => {
    expect(
      can(
        'No such permission',
        callerFor({ id: 'm', login: 'm', fullname: '', roles: ['Manager'], groups: [] }),
        [base],
        {},
      ),
    ).toBe(false);
  });
});
