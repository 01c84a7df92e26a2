import { NotFound } from '../../../lib/errors.ts';
import type { Queryable } from '../../../storage/database.ts';
import { type Profile, profilesById } from '../statements/people-profiles.ts';
import { userPath } from '../update-user.ts';

/** The user with this id. Throws NotFound. */
export async function requireProfile(db: Queryable, id: string): Promise<Profile> {
  const [user] = await profilesById(db, [id]);
  if (!user) throw new NotFound(userPath(id));
  return user;
}
