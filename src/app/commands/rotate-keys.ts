import type { Command } from '../../core/kernel/command.ts';
import { loadKeyring } from '../../core/people/keyring.ts';
import { ANONYMOUS } from '../../core/security/caller.ts';

/**
 * Adds a key that signs all new tokens. With `--prune` all older keys are removed, and all tokens signed with them become invalid. Running servers on
 * the same database use the new keys at once.
 */
export const rotateKeysCommand: Command = {
  name: 'rotate-keys',
  summary: 'sign tokens with a new key',
  options: { prune: { type: 'boolean', description: 'Removes the older keys: all tokens are worth nothing.' } },
  example: 'rotate-keys --prune',
  json: '`pruned`: true if the older keys are removed.',
  async run({ open }, { options }) {
    const pruned = options.prune === true;
    const { db, events } = await open();
    const keyring = await loadKeyring(db);
    await keyring.rotate(db);
    if (pruned) await keyring.prune(db, new Date());
    const change = { part: 'signing-key', id: '', change: pruned ? 'pruned' : 'rotated' };
    await db.transaction((tx) => events.emit('site.changed', change, { tx, caller: ANONYMOUS }));
    const line = pruned
      ? 'A new key signs, and older tokens are worth nothing.'
      : 'A new key signs; older tokens stay valid until they expire.';
    return { lines: [line], data: { pruned } };
  },
};
