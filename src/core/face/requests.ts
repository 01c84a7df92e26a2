/** Facts of a request: its headers, its sender, the addresses by which it may name content. */
export { isShared } from '../../database/shared-transaction.ts';
export { isRehearsed } from '../../database/transaction-notes.ts';
export { requestAddress as addressOf } from '../http/request-address.ts';
export { limitProblem } from '../http/requested-service.ts';
export { clientNetwork as networkOf } from '../people/credentials.ts';
export { basesOf, headerOf, LOCK_TOKEN } from '../services/content/represent-path.ts';
export { isLoggedIn } from '../services/service.ts';
