import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Caller, callerFor } from '../../src/core/security/caller.ts';
import { can, localRolesAt, rolesOf, rolesWith, type SecurityNode } from '../../src/core/security/can.ts';
import { ACCESS_INACTIVE, MODIFY, USE_API, VIEW } from '../../src/core/security/permissions.ts';
import {
  blockOf,
  countingLocalRoles,
  decidingLink,
  decidingPermission,
  isAllowed,
  passesDates,
  roleSources,
  settingSources,
  withheldRoles,
} from '../../src/features/explain-access/decision.ts';
import '../support/property-seed.ts';

const ROLES = ['Anonymous', 'Authenticated', 'Member', 'Owner', 'Reader', 'Editor', 'Manager'];
const GROUPS = ['staff', 'AuthenticatedUsers', 'ann'];
const someRoles = fc.subarray(ROLES);
const setting = fc.record({ roles: someRoles, acquire: fc.boolean() });
const settings = fc.record(
  { [VIEW]: setting, [MODIFY]: setting, [ACCESS_INACTIVE]: setting, [USE_API]: setting },
  { requiredKeys: [] },
);
const principal = fc.constantFrom('user:ann', 'user:bob', ...GROUPS.map((id) => `group:${id}`));
const node: fc.Arbitrary<SecurityNode> = fc.record({
  localRoles: fc.dictionary(principal, someRoles, { maxKeys: 3 }),
  inheritRoles: fc.boolean(),
  settings: settings.map((all) => ({ ...all })),
  path: fc.constant('/a'),
  hidden: fc.boolean(),
});
const roleMap = fc
  .record({ [VIEW]: someRoles, [MODIFY]: fc.subarray(['Owner', 'Editor']), [USE_API]: someRoles })
  .map((map): Record<string, string[]> => ({ ...map }));

/** A user with own roles, and groups with theirs; or a visitor. */
const origin = fc
  .record({ own: someRoles, groups: fc.dictionary(fc.constantFrom(...GROUPS), someRoles), isVisitor: fc.boolean() })
  .map(({ own, groups, isVisitor }) => {
    const all = Object.entries({ AuthenticatedUsers: [], ...groups }).map(([id, ownRoles]) => ({ id, ownRoles }));
    const roles = [...own, ...all.flatMap(({ ownRoles }) => ownRoles)];
    const user = callerFor({ id: 'ann', login: 'ann', fullname: '', roles, groups: all.map(({ id }) => id) });
    const visitor: Caller = { ...user, id: null, roles: ['Anonymous'], groups: [], principals: ['role:Anonymous'] };
    return isVisitor ? { caller: visitor, ownRoles: [], groups: [] } : { caller: user, ownRoles: own, groups: all };
  });

const question = fc.record({
  origin,
  permission: fc.constantFrom(VIEW, MODIFY),
  chain: fc.array(node, { minLength: 1, maxLength: 5 }),
  roleMap,
  limit: fc.option(fc.constant('The token is not good for this.'), { nil: undefined, freq: 8 }),
});

const RUNS = { numRuns: Number(process.env.EXPLAIN_RUNS ?? 2000) };

it('the links of an explanation together are the decision', () => {
  const links = new Map<string, number>();
  fc.assert(
    fc.property(question, ({ origin: from, ...rest }) => {
      const asked = { ...rest, caller: from.caller };
      const { permission, chain, limit } = asked;
      const roles = roleSources(from, chain);
      const grants = (one: string) => {
        const granted = settingSources(one, asked).flatMap((source) => source.roles);
        return roles.some(({ role }) => granted.includes(role));
      };
      const allowed = limit === undefined && passesDates(asked) && grants(USE_API) && grants(permission);
      expect(allowed).toBe(isAllowed(asked));
      expect(isAllowed(asked)).toBe(
        limit === undefined && [USE_API, permission].every((one) => can(one, from.caller, chain, rest.roleMap)),
      );
      const link = decidingLink(asked);
      links.set(link, (links.get(link) ?? 0) + 1);
      // An allowed request is decided by its roles, and each other link stops it by itself.
      if (allowed) expect(link).toBe('roles');
      expect(decidingPermission(asked)).toBe(link === 'api' ? USE_API : permission);
      if (link === 'roles') expect(grants(permission)).toBe(allowed);
    }),
    RUNS,
  );
  for (const link of ['credentials', 'dates', 'api', 'roles']) expect(links.get(link), link).toBeGreaterThan(5);
});

it('each role has a source, and the sources are those that count', () => {
  fc.assert(
    fc.property(question, ({ origin: from, chain, permission, roleMap: map }) => {
      const { caller } = from;
      const explained = roleSources(from, chain);
      expect(explained.map(({ role }) => role)).toEqual([...rolesOf(caller, chain)].sort());
      for (const { role, sources } of explained) expect(sources.length, role).toBeGreaterThan(0);
      expect(new Set(settingSources(permission, { chain, roleMap: map }).flatMap(({ roles }) => roles))).toEqual(
        rolesWith(permission, chain, map),
      );
      const local = localRolesAt(chain);
      for (const { principal: token, role } of countingLocalRoles(caller, chain))
        expect(local.get(token)?.has(role)).toBe(true);
      // Without the block the roles above it count as well.
      const open = chain.map((one) => ({ ...one, inheritRoles: true }));
      const both = [...countingLocalRoles(caller, chain), ...withheldRoles(caller, chain)];
      if (chain.slice(0, -1).every(({ inheritRoles }) => inheritRoles)) expect(blockOf(chain)).toBeUndefined();
      expect(both).toEqual(countingLocalRoles(caller, open));
    }),
    RUNS,
  );
});
