/** Requests that somebody may send only so often: record one, and ask if the limit is reached. */
export { hasReachedLimit as hasReached, recordRequest as record } from '../people/statements/request-limits.ts';
