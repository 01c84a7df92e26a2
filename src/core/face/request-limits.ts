/** Limits of requests by their sender: record a request, and ask if the limit is reached. */
export { hasReachedLimit as hasReached, recordRequest as record } from '../people/statements/request-limits.ts';
