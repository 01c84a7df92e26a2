/** Work that waits in a table of the feature's own: fragments of SQL that claim its rows, and a worker for them. */
export { type QueueKind as Kind, retryDelayMs } from '../queue/queue-kind.ts';
export { type QueueWorker as Worker, startQueueWorker as startWorker } from '../queue/queue-worker.ts';
export { IN_MS, SIGNAL, UNCLAIMED, untilDue, WAKE } from '../queue/statements/claim.ts';
export { JOB } from '../queue/statements/jobs.ts';
