import fc from 'fast-check';
import { shareContent } from '../../../src/features/sharing/share-content.ts';
import type { Node } from '../model.ts';
import { ADMIN } from '../people.ts';
import { rolesAt } from '../rights.ts';
import { attempt, sometimes, steps, which } from './step.ts';

const PRINCIPALS = {
  ann: { id: 'ann', type: 'user' },
  staff: { id: 'staff', type: 'group' },
  everybody: { id: 'AuthenticatedUsers', type: 'group' },
} as const;

const asked = fc.record({
  which,
  principal: fc.constantFrom<(keyof typeof PRINCIPALS)[]>('ann', 'staff', 'everybody'),
  roles: fc.dictionary(fc.constantFrom('Reader', 'Contributor', 'Reviewer'), fc.boolean(), { minKeys: 1, maxKeys: 2 }),
  inherit: sometimes(2, fc.boolean()),
});

/** The roles that may be delegated, none of them given. */
const NONE = { Reader: false, Contributor: false, Reviewer: false, Editor: false };

function setRoles({ localRoles }: Node, principal: string, roles: Record<string, boolean>): void {
  const kept = new Set(localRoles[principal]);
  for (const [role, on] of Object.entries(roles)) on ? kept.add(role) : kept.delete(role);
  localRoles[principal] = [...kept];
  if (kept.size === 0) delete localRoles[principal];
}

/** Gives and takes local roles, and stops or allows their inheritance. */
export const sharings = steps(
  'share',
  asked,
  async ({ kernel, tree }, { which: number, principal, roles, inherit }) => {
    const node = tree.pick(number);
    const entry = PRINCIPALS[principal];
    await attempt(undefined, () =>
      shareContent(kernel, {
        caller: ADMIN,
        path: tree.path(node),
        entries: [{ ...entry, roles: new Set(Object.keys(roles).filter((role) => roles[role])) }],
        inherit,
      }),
    );
    const before = rolesAt(ADMIN, node);
    const cuts = node.inherits && inherit === false;
    // An entry is the whole set of the principal.
    setRoles(node, `${entry.type}:${entry.id}`, { ...NONE, ...roles });
    node.inherits = inherit ?? node.inherits;
    // Callers who stop the inheritance keep their own roles.
    if (!cuts) return;
    const lost = [...before].filter((role) => !rolesAt(ADMIN, node).has(role));
    setRoles(node, 'user:admin', Object.fromEntries(lost.map((role) => [role, true])));
  },
);
