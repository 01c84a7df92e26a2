import { Type } from 'typebox';
import { type RequestContext, schemas } from '#core';
import { DAY_MS } from '#lib/time/milliseconds';

const MAX_TITLE = 200;
/** Days for which a link is valid, by default and at most. */
const DEFAULT_DAYS = 7;
const MAX_DAYS = 90;

/** The members of the body of a request for a link that shows something without a login. */
export const linkMembers = {
  title: schemas.Text({ description: 'What it is for.', maxLength: MAX_TITLE, default: '' }),
  expires: Type.Optional(
    schemas.Instant({ description: `Until when it is good: ${DEFAULT_DAYS} days unless given, ${MAX_DAYS} at most.` }),
  ),
};

/** Checks that a link expires within the next days. Returns the problem with the field `expires`, if any. */
export function checkExpiry(
  { auth }: Pick<RequestContext, 'auth'>,
  { body: { expires } }: { body: { expires?: Date | undefined } },
): { field: string; message: string }[] {
  const now = auth.now().getTime();
  if (expires === undefined || (expires.getTime() > now && expires.getTime() <= now + MAX_DAYS * DAY_MS)) return [];
  return [{ field: 'expires', message: `Must be a time in the next ${MAX_DAYS} days.` }];
}

/** The time at which a link that is made at `now` expires. */
export const expiryOf = (now: Date, expires?: Date): Date => expires ?? new Date(now.getTime() + DEFAULT_DAYS * DAY_MS);
