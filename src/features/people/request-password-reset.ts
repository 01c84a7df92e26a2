import type { Kernel } from '../../site/kernel.ts';
import { admitVisitor } from './admit-visitor.ts';
import { queueResetRequest } from './password-mail.ts';
import { MAX_NAME } from './person-rules.ts';
import { siteMailHost } from './site-mail-host.ts';

/**
 * Takes a request for a new password: by id, login name or e-mail address. Whoever is meant gets a mail. The request is
 * only written down here, whether anybody has the name or not: neither the answer nor its time tells who exists.
 * @throws TooManyRequests when the network of the client has asked too often.
 */
export async function requestPasswordReset(
  kernel: Kernel,
  { name, address }: { name: string; address: string },
): Promise<void> {
  await admitVisitor(kernel.db, 'reset-password', address);
  if (name.length > MAX_NAME || !siteMailHost(kernel, await kernel.sites.current())) return;
  await queueResetRequest(kernel.db, name);
}
