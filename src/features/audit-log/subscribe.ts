import { type Caller, type ContentEvents, type EventName, type Kernel, requests, type Transaction } from '#core';
import { countFailedLogin, insertEntries } from './statements/insert.ts';

/** Logs an event whose description has an entry of its own; entries of steps are written with their transaction. */
function follow<N extends EventName>({ events }: Kernel, name: N): void {
  const { record } = events.describe(name);
  if (!('entry' in record)) return;
  events.on(name, (event: ContentEvents[N], { tx, caller }: { tx: Transaction; caller: Caller }) => {
    const { actor = caller.id ?? '', ...entry } = record.entry(event);
    const { agent } = caller;
    const data = { ...entry.data, ...(agent && { by: `${agent.kind} ${agent.id}` }) };
    return insertEntries(tx, { actor, clientAddress: tx.origin.clientAddress }, [{ ...entry, data }]);
  });
}

/** Logs the events outside of transactions of content: logins, logouts, failed logins and sent messages. */
export function subscribeAuditLog(kernel: Kernel): void {
  for (const name of kernel.events.names) follow(kernel, name);
  kernel.events.on('user.loginFailed', ({ login, address, factor }, { tx }) =>
    countFailedLogin(tx, { login, network: requests.networkOf(address), factor }),
  );
}
