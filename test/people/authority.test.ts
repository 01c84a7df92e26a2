import { expect, it } from 'vitest';
import { buildSite } from '../../src/core/configuration/site/build-site.ts';
import { callerFor } from '../../src/core/security/caller.ts';
import { covers, requireAuthority } from '../../src/features/people/authority.ts';
import { Forbidden } from '../../src/lib/errors.ts';
import { registries } from '../support/registries.ts';

const PERMISSIONS: Record<string, string[]> = {
  View: ['Anonymous', 'Reader'],
  'Manage users': ['Helper', 'Chief'],
  'Modify portal content': ['Editor', 'Chief'],
  Everything: ['Manager'],
  'canopy: Propose changes': ['Manager'],
  'canopy: Make releases': ['Manager'],
  'canopy: Publish releases': ['Manager'],
};
const WORKFLOW = {
  id: 'w',
  title: 'W',
  initial_state: 'secret',
  states: {
    secret: {
      title: 'Secret',
      transitions: ['open'],
      permissions: { View: { roles: ['Spy', 'Chief'], acquire: false } },
    },
  },
  transitions: { open: { title: 'Open', new_state: 'secret', guard: { roles: ['Opener'] } } },
};
const site = buildSite(
  '1',
  [
    ...Object.entries(PERMISSIONS).map(([id, data]) => ({ kind: 'permission', id, position: 0, data })),
    { kind: 'workflow', id: 'w', position: 0, data: WORKFLOW },
  ],
  registries,
);
const caller = (...roles: string[]) => callerFor({ id: 'x', login: 'x', fullname: '', roles, groups: [] });

it('a caller covers roles that allow nothing beyond their own by permissions, states and guards of transitions', () => {
  const all = ['Manager', 'Chief', 'Helper', 'Editor', 'Reader', 'Spy', 'Opener', 'Member'];
  const covered = (...roles: string[]) => all.filter((role) => covers(site, caller(...roles), role));
  expect(covered('Manager')).toEqual(all);
  expect(covered('Chief')).toEqual(['Chief', 'Helper', 'Editor', 'Reader', 'Spy', 'Member']);
  expect(covered('Helper')).toEqual(['Helper', 'Reader', 'Member']);
  expect(covered('Helper', 'Opener')).toEqual(['Helper', 'Reader', 'Opener', 'Member']);
});

it('only Managers cover the role Manager, even where it allows nothing more', () => {
  const bare = buildSite('1', [], registries);
  expect(covers(bare, caller('Chief'), 'Manager')).toBe(false);
  expect(() => requireAuthority(bare, caller('Chief'), ['Member', 'Manager'])).toThrow(Forbidden);
  expect(() => requireAuthority(bare, caller('Manager'), ['Member', 'Manager'])).not.toThrow();
});
