import { loadKeyring } from '../auth/keyring.ts';
import type { Log } from '../lib/process.ts';
import type { Config } from '../site/config.ts';
import { announcePassword } from './announce-password.ts';
import { openSite } from './open-site.ts';

/**
 * Adds a key that signs tokens from now on. With `prune` all older keys go, and every token that they signed is worth
 * nothing. Running servers on the same database follow at once. Answers the exit code.
 */
export async function rotateKeysCommand(settings: Config, log: Log, { prune }: { prune: boolean }): Promise<number> {
  const opened = await openSite(settings, log);
  announcePassword(opened);
  const { kernel, close } = opened;
  try {
    const keyring = await loadKeyring(kernel.db);
    await keyring.rotate(kernel.db);
    if (prune) await keyring.prune(kernel.db, new Date());
    process.stdout.write(
      prune
        ? 'A new key signs, and older tokens are worth nothing.\n'
        : 'A new key signs; older tokens stay valid until they expire.\n',
    );
    return 0;
  } finally {
    await close();
  }
}
