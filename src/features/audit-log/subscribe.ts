import { clientNetwork } from '../../auth/credentials.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { countFailedLogin, insertEntries } from './statements/insert.ts';

/** Logs what no transaction of content stands for: that people came, went, and could not come in. */
export function subscribeAuditLog({ events }: Kernel): void {
  const log = (event: 'user.loggedIn' | 'user.loggedOut', action: string): void =>
    events.on(event, ({ id }, { tx }) =>
      insertEntries(tx, { actor: id, clientAddress: tx.origin.clientAddress }, [
        { action, content: null, path: '/', name: id, data: {} },
      ]),
    );
  log('user.loggedIn', 'login.succeeded');
  log('user.loggedOut', 'login.ended');
  events.on('user.loginFailed', ({ login, address, factor }, { tx }) =>
    countFailedLogin(tx, { login, network: clientNetwork(address), factor }),
  );
}
