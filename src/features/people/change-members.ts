import { type FieldProblem, ValidationFailed } from '../../lib/errors.ts';
import { isJsonObject } from '../../lib/json-object.ts';
import type { Transaction } from '../../storage/database.ts';
import { groupPath } from './group-path.ts';
import { addMembers, keepMembers, removeMembers } from './statements/people-members.ts';
import { knownPrincipals } from './statements/people-names.ts';

/** What a body says of members: a list replaces those that there are, a map of id to boolean adds and takes away. */
export type MemberChange = { replace: boolean; add: string[]; remove: string[] };

/** Reads `users` or `groups` of a group's body. Undefined when absent or not acceptable: then `problems` gets an entry. */
export function readMembers(
  problems: FieldProblem[],
  field: 'users' | 'groups',
  value: unknown,
): MemberChange | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) {
    const add = value.filter((id) => typeof id === 'string');
    if (add.length === value.length) return { replace: true, add: [...new Set(add)], remove: [] };
  } else if (isJsonObject(value)) {
    const entries = Object.entries(value);
    const idsThat = (wanted: boolean) => entries.filter(([, on]) => on === wanted).map(([id]) => id);
    if (entries.every(([, on]) => typeof on === 'boolean'))
      return { replace: false, add: idsThat(true), remove: idsThat(false) };
  }
  problems.push({ field, message: 'Must be a list of ids or a map of id to true or false.' });
  return undefined;
}

/**
 * Changes who is in a group. Ids under `users` may be those of groups as well, for clients are shown both in one list.
 * @throws ValidationFailed of type WrongParameterError for an id that nobody has, and for the group in itself.
 */
export async function changeMembers(
  tx: Transaction,
  group: string,
  changes: { users: MemberChange | undefined; groups: MemberChange | undefined },
): Promise<void> {
  for (const [field, change] of Object.entries(changes)) {
    if (!change) continue;
    const known = await knownPrincipals(tx, change.add);
    const isGroup = (id: string) => (field === 'groups' || !known.users.has(id)) && known.groups.has(id);
    const groups = change.add.filter(isGroup);
    const users = change.add.filter((id) => !isGroup(id));
    const wrong = users.find((id) => field === 'groups' || !known.users.has(id));
    const message =
      wrong === undefined
        ? groups.includes(group)
          ? `${groupPath(group)} cannot be in itself.`
          : undefined
        : `There is no such member: "${wrong.slice(0, 100)}".`;
    if (message) throw new ValidationFailed([{ field, message }], 'WrongParameterError');
    if (change.replace)
      await keepMembers(
        tx,
        group,
        field === 'groups' ? { ids: groups, isGroup: true } : { ids: users, isGroup: false },
      );
    await addMembers(tx, [group], { ids: users, isGroup: false });
    await addMembers(tx, [group], { ids: groups, isGroup: true });
    if (field === 'users') await removeMembers(tx, group, { ids: change.remove, isGroup: false });
    await removeMembers(tx, group, { ids: change.remove, isGroup: true });
  }
}
