import type { FieldProblem } from '../../lib/errors.ts';
import { isJsonObject } from '../../lib/json-object.ts';
import { AUTHENTICATED_USERS } from '../../security/caller.ts';

/** The id in an item of a list: the id itself, or an object that has it. */
const idOf = (item: unknown): unknown => (isJsonObject(item) ? item.id : item);

/**
 * Reads `groups` of a body: a list of ids, or such a list as `items`, as representations have it. Undefined when it
 * is absent or not acceptable: then `problems` gets an entry. The group that everybody is in is passed over.
 */
export function readGroups(problems: FieldProblem[], value: unknown): string[] | undefined {
  if (value === undefined || value === null) return undefined;
  const items: unknown = isJsonObject(value) ? (value.items ?? []) : value;
  const ids = Array.isArray(items) ? items.map(idOf) : [undefined];
  const texts = ids.filter((id) => typeof id === 'string');
  if (texts.length === ids.length) return [...new Set(texts)].filter((id) => id !== AUTHENTICATED_USERS);
  problems.push({ field: 'groups', message: 'Must be a list of ids of groups.' });
  return undefined;
}
