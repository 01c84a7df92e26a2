import { DatabaseUnavailable } from '../../database/database.ts';
import { LOCK_NOT_AVAILABLE, sqlState } from '../../database/sql-errors.ts';
import { ClientError, InsufficientStorage, ServiceUnavailable } from '../../lib/errors.ts';
import { isS3Failure } from '../files/blobs/s3-store.ts';

/** Seconds after which a client should repeat a request that met an outage. */
const RETRY_SECONDS = 5;

/** SQLSTATE of a disk that is full. */
const DISK_FULL = '53100';
/** Classes of SQLSTATE for a database without resources for the statement, or one that its operator stops. */
const OUT_OF_MEANS = /^(?:53|57P|58)/;
const FULL = new Set(['ENOSPC', 'EDQUOT']);

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/** An error and its causes, from the outermost to the innermost. */
function* causesOf(error: unknown): Generator<unknown> {
  let cause = error;
  for (let depth = 0; cause !== undefined && depth < 5; depth += 1) {
    yield cause;
    cause = cause instanceof Error ? cause.cause : undefined;
  }
}

/** The response to a client for one error of the storage; undefined for an error that is no outage. */
function outageIn(error: unknown): ClientError | undefined {
  const state = sqlState(error);
  if (state === DISK_FULL || FULL.has(String(codeOf(error))))
    return new InsufficientStorage('The server has no room left for this. Nothing was stored. Tell its administrator.');
  if (state === LOCK_NOT_AVAILABLE)
    return new ServiceUnavailable(
      'Other requests are changing the same content. Try again in a few seconds.',
      RETRY_SECONDS,
    );
  if (error instanceof DatabaseUnavailable || (state !== undefined && OUT_OF_MEANS.test(state)))
    return new ServiceUnavailable(
      'The database cannot be reached at the moment. Try again in a few seconds.',
      RETRY_SECONDS,
    );
  if (isS3Failure(error))
    return new ServiceUnavailable(
      'The files cannot be reached at the moment. Try again in a few seconds.',
      RETRY_SECONDS,
    );
  return undefined;
}

/** Says if a full disk or the object store has prevented some work. */
export function isStorageFailure(error: unknown): boolean {
  if (error instanceof ClientError) return false;
  return [...causesOf(error)].some((cause) => isS3Failure(cause) || outageIn(cause) instanceof InsufficientStorage);
}

/** The error that a client gets: for an outage, it names the part that is out of order and when to try again. */
export function asClientError(error: unknown): unknown {
  if (error instanceof ClientError) return error;
  for (const cause of causesOf(error)) {
    const outage = outageIn(cause);
    if (outage) return outage;
  }
  return error;
}
