import { randomBytes } from 'node:crypto';
import type { Command } from '../../core/kernel/command.ts';
import { setPassword } from '../../core/people/accounts.ts';
import { hashPassword } from '../../core/people/passwords.ts';
import { ANONYMOUS } from '../../core/security/caller.ts';
import { NotFound } from '../../lib/errors.ts';

/**
 * Gives an account a new password and prints it: for a Manager who has lost the password of the only Manager. Earlier tokens of the account become
 * invalid.
 */
export const resetPasswordCommand: Command = {
  name: 'reset-password',
  summary: 'give an account a new password and print it',
  description: 'For the Manager who has lost the only one. All tokens and sessions of the account end.',
  operands: [{ name: 'account', description: 'The id of the user.' }],
  example: 'reset-password admin',
  json: '`id` and `password`.',
  async run({ open }, { operands: [account = ''] }) {
    const kernel = await open();
    const password = randomBytes(12).toString('base64url');
    const hash = await hashPassword(password);
    const found = await kernel.db.transaction(async (tx) => {
      if (!(await setPassword(tx, account, hash, new Date()))) return false;
      const change = { part: 'password', id: account, change: 'reset' };
      await kernel.events.emit('site.changed', change, { tx, caller: ANONYMOUS });
      return true;
    });
    if (!found) throw new NotFound(account, `There is no account "${account}".`);
    return { lines: [], result: [`The password of ${account} is ${password}`], data: { id: account, password } };
  },
};
