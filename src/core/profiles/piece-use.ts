import type { Transaction } from '../../database/database.ts';
import { KINDS, type Site } from '../configuration/site/site.ts';
import { vocabularyName } from '../types/vocabularies/vocabulary-definition.ts';
import { roleUse } from './statements/set-up-use.ts';

export { statesInUse } from './statements/set-up-use.ts';

/** Roles that the server itself uses; every profile has them. */
export const BUILT_IN_ROLES: ReadonlySet<string> = new Set([
  ...['Anonymous', 'Authenticated', 'Member', 'Owner', 'Reader', 'Contributor', 'Editor', 'Reviewer'],
  ...['Site Administrator', 'Manager'],
]);

/** The workflows that name a role, in a state or a guard. */
const workflowsWith = ({ workflows }: Site, role: string): string[] =>
  [...workflows.values()]
    .filter(
      ({ states, transitions }) =>
        Object.values(states).some(({ permissions }) =>
          Object.values(permissions).some(({ roles }) => roles.includes(role)),
        ) || Object.values(transitions).some(({ guard }) => guard?.roles?.includes(role)),
    )
    .map(({ id }) => id);

/** Numbers of groups and content rules that lose a role in the same change, but still have it in their tables. */
export type Freed = { groups: number; rules: number };

/** The uses of a role on a site besides permissions, as texts for people: `users (2)`. Reads all content. */
export async function roleUses(
  tx: Transaction,
  site: Site,
  role: string,
  freed: Freed = { groups: 0, rules: 0 },
): Promise<string[]> {
  const use = await roleUse(tx, role);
  return [
    ...(
      [
        [use.users, 'users'],
        [use.groups - freed.groups, 'groups'],
        [use.objects, 'sharing'],
        [use.recycled, 'sharing in the recycle bin'],
        [use.rules - freed.rules, 'content rules'],
      ] as const
    ).flatMap(([count, where]) => (count > 0 ? [`${where} (${count})`] : [])),
    ...workflowsWith(site, role).map((workflow) => `the workflow "${workflow}"`),
    ...[...site.loginProviders.values()]
      .filter(({ roles = {} }) => Object.values(roles).includes(role))
      .map((provider) => `the login provider "${provider.id}"`),
  ];
}

/** A field that chooses from a vocabulary, with the type, the behavior or `user` that has it; undefined for none. */
export function fieldChoosing({ types, behaviors, userSchema }: Site, vocabulary: string): string | undefined {
  const holders = [...types.values(), ...behaviors.values(), ...(userSchema ? [{ id: 'user', ...userSchema }] : [])];
  for (const { id, properties = {} } of holders)
    for (const [name, property] of Object.entries(properties))
      if (vocabularyName(property) === vocabulary) return `${id}.${name}`;
  return undefined;
}

/** The reason why a role or a vocabulary cannot be removed, such as `a field chooses from it`; undefined for other pieces and without a reason. */
export async function useOfPiece(
  tx: Transaction,
  site: Site,
  { kind, id }: { kind: string; id: string },
  freed: Freed,
): Promise<string | undefined> {
  if (kind === KINDS.vocabulary) {
    const field = fieldChoosing(site, id);
    return field && `the field "${field}" chooses from it`;
  }
  if (kind !== KINDS.role) return undefined;
  if (BUILT_IN_ROLES.has(id)) return 'it is part of the server';
  const permission = Object.entries(site.roleMap).find(([, roles]) => roles.includes(id))?.[0];
  const uses = await roleUses(tx, site, id, freed);
  if (permission !== undefined) uses.push(`the permission "${permission}"`);
  return uses.length > 0 ? `it is in use: ${uses.join(', ')}` : undefined;
}
