import { type Queryable, requests } from '#core';
import { BadRequest } from '#lib/errors';

/**
 * Throws BadRequest in a transaction that is rolled back with a rejected request, or always: wrong codes would not be counted, and a captcha would be
 * used up in vain.
 */
export function requireOwnTransaction(db: Queryable): void {
  if (requests.isShared(db))
    throw new BadRequest(
      'An Idempotency-Key is not possible here, nor are dry_run and @batch: codes and captchas count, also when the form is rejected.',
    );
}
