import { ValidationFailed } from '../../lib/errors.ts';
import type { Queryable } from '../../storage/database.ts';
import { isReservedName } from './person-rules.ts';
import { isNameTaken } from './statements/people-names.ts';

/**
 * Throws ValidationFailed for `field` when a user or a group has this name as its id or login, in any case: local
 * roles, members and logins would be mixed up. `except` is the id of the account that may have it.
 */
export async function requireFreeName(
  tx: Queryable,
  name: string,
  field: string,
  except: string | null = null,
): Promise<void> {
  if (!isReservedName(name) && !(await isNameTaken(tx, name, except))) return;
  throw new ValidationFailed([{ field, message: `The name "${name}" is taken.` }], 'WrongParameterError');
}
