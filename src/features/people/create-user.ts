import { hashPassword } from '../../auth/passwords.ts';
import type { JsonObject } from '../../lib/json-object.ts';
import type { Caller } from '../../security/caller.ts';
import type { Kernel } from '../../site/kernel.ts';
import { admitVisitor } from './admit-visitor.ts';
import { changePeople } from './change-people.ts';
import { insertUser } from './insert-user.ts';
import { readNewUser } from './new-user.ts';
import { readPortrait } from './read-portrait.ts';

/**
 * Makes a user from the body of POST `@users`; answers the id. Somebody whom nobody knows registers: without roles,
 * groups and a picture, and only so often from one network. `address` is that of the client.
 * @throws ValidationFailed of type WrongParameterError with a problem for each field (plone.restapi §7 @users),
 *   Unauthorized, Forbidden, TooManyRequests.
 */
export async function createUser(
  kernel: Kernel,
  { caller, input, address }: { caller: Caller; input: JsonObject; address: string },
): Promise<string> {
  const site = await kernel.sites.current();
  const visitor = caller.id === null;
  const user = await readNewUser(kernel, site, { input, registrar: visitor ? 'visitor' : 'manager' });
  if (visitor) await admitVisitor(kernel.db, 'register', address);
  const portrait = visitor ? null : await readPortrait(kernel, site, input);
  const hash = user.password === undefined ? null : await hashPassword(user.password);
  await changePeople(kernel, (change) => insertUser(change, caller, { user, hash, portrait }));
  return user.name;
}
