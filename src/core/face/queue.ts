/**
 * Work that outlives its process, in the table of the queue: `queue.enqueue` in a transaction, `queue.startWorker` in `start` of a
 * feature.
 */
export { startItemWorker as startWorker } from '../queue/item-worker.ts';
export { startMailWorker } from '../queue/mail/mail-worker.ts';
export { MAILS } from '../queue/mail/queue-mail.ts';
export type { ItemKind as Kind } from '../queue/queue-kind.ts';
export { enqueue, type QueueItem as Item, removeTopics } from '../queue/statements/items.ts';
export { observeItems as observe, waitingHealth as healthOf } from '../queue/waiting-health.ts';
