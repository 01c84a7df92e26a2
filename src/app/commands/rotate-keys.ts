import type { Command } from '../../core/kernel/command.ts';
import { loadKeyring } from '../../core/people/keyring.ts';
import { ANONYMOUS } from '../../core/security/caller.ts';

/**
 * Adds a key that signs tokens from now on. With `--prune` all older keys go, and every token that they signed is worth
 * nothing. Running servers on the same database follow at once.
 */
export const rotateKeysCommand: Command = {
  name: 'rotate-keys',
  usage: '[--prune]',
  summary: 'sign tokens with a new key; --prune makes all older tokens worthless',
  options: { prune: { type: 'boolean' } },
  async run({ open }, { options }) {
    const { db, events } = await open();
    const keyring = await loadKeyring(db);
    await keyring.rotate(db);
    if (options.prune === true) await keyring.prune(db, new Date());
    const change = { part: 'signing-key', id: '', change: options.prune === true ? 'pruned' : 'rotated' };
    await db.transaction((tx) => events.emit('site.changed', change, { tx, caller: ANONYMOUS }));
    process.stdout.write(
      options.prune === true
        ? 'A new key signs, and older tokens are worth nothing.\n'
        : 'A new key signs; older tokens stay valid until they expire.\n',
    );
    return 0;
  },
};
