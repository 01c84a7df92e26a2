import { formatCsv } from '../../lib/csv.ts';
import type { Queryable } from '../../storage/database.ts';
import { listProfiles, type Profile, type ProfileFilter } from './statements/people-profiles.ts';

const COLUMNS = ['id', 'username', 'fullname', 'email', 'roles', 'groups'];
/** Users that are read at once. */
const PART = 2000;

const rowOf = ({ id, login, fullname, email, roles, groups }: Profile): string[] => [
  id,
  login,
  fullname,
  email,
  roles.join(', '),
  groups.map((group) => group.id).join(', '),
];

/** The users that fit a filter as CSV, a part at a time (plone.restapi, U03). Nothing in it is computed by a spreadsheet. */
export async function* exportUsers(
  db: Queryable,
  filter: Omit<ProfileFilter, 'limit' | 'offset'>,
): AsyncGenerator<string> {
  yield formatCsv([COLUMNS]);
  for (let offset = 0; ; offset += PART) {
    const users = await listProfiles(db, { ...filter, limit: PART, offset });
    if (users.length > 0) yield formatCsv(users.map(rowOf));
    if (users.length < PART) return;
  }
}
