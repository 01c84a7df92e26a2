import type { OpenSite } from './open-site.ts';

/**
 * Prints the password that the start made up for the first Manager, if it did. To be called before anything else can
 * fail: it is known to nobody else and never shown again.
 */
export function announcePassword({ password }: OpenSite): void {
  if (password === undefined) return;
  process.stdout.write(`The password of admin is ${password}\nIt is shown this once: keep it.\n`);
}
