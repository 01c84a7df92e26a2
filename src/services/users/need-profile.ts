import { NotFound } from '../../lib/errors.ts';
import { userPath } from '../../people/update-user.ts';
import type { Queryable } from '../../storage/database.ts';
import { type Profile, profilesById } from '../../storage/statements/people-profiles.ts';

/** The user with this id. Throws NotFound. */
export async function needProfile(db: Queryable, id: string): Promise<Profile> {
  const [user] = await profilesById(db, [id]);
  if (!user) throw new NotFound(userPath(id));
  return user;
}
