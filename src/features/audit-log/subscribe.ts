import { clientNetwork, type Kernel } from '#core';
import { countFailedLogin, insertEntries } from './statements/insert.ts';

/** Logs what no transaction of content stands for: that people came, went, could not come in, and what they sent. */
export function subscribeAuditLog({ events }: Kernel): void {
  const log = (event: 'user.loggedIn' | 'user.loggedOut', action: string): void =>
    events.on(event, ({ id }, { tx }) =>
      insertEntries(tx, { actor: id, clientAddress: tx.origin.clientAddress }, [
        { action, content: null, path: '/', name: id, data: {} },
      ]),
    );
  log('user.loggedIn', 'login.succeeded');
  log('user.loggedOut', 'login.ended');
  events.on('message.sent', ({ oid, part, change, name }, { tx, caller }) =>
    insertEntries(tx, { actor: caller.id ?? '', clientAddress: tx.origin.clientAddress }, [
      { action: `${part}.${change}`, content: oid, name, data: {} },
    ]),
  );
  events.on('user.loginFailed', ({ login, address, factor }, { tx }) =>
    countFailedLogin(tx, { login, network: clientNetwork(address), factor }),
  );
}
