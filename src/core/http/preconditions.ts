import { BadRequest, PreconditionFailed } from '../../lib/errors.ts';
import { parseEntityTags } from '../../lib/http/entity-tags.ts';
import { etagMatches } from '../../lib/http/http-headers.ts';
import { header, type WireRequest } from './wire-request.ts';

const TAG_HEADERS = ['If-Match', 'If-None-Match'] as const;

/** Throws BadRequest when a header that compares entity tags is malformed: a client must not believe that it counts. */
export function requireWellFormed(request: Pick<WireRequest, 'headers'>): void {
  for (const name of TAG_HEADERS) {
    const value = header(request, name.toLowerCase());
    if (value !== undefined && parseEntityTags(value) === undefined)
      throw new BadRequest(`The header ${name} must be * or a list of entity tags in quotes, such as "abc".`);
  }
}

/** Headers with the conditions of a request that writes. */
const CONDITIONS = ['if-match', 'if-none-match', 'if-unmodified-since'];

/** Says if a request has a condition. */
export const isConditional = (request: Pick<WireRequest, 'headers'>): boolean =>
  CONDITIONS.some((name) => header(request, name) !== undefined);

const failed = (): PreconditionFailed =>
  new PreconditionFailed('This has been changed since you loaded it. Load it again.', {});

/**
 * Throws PreconditionFailed unless the conditions of a request that writes are met (RFC 9110, 13.2.2). `etag` returns the entity tag that GET has
 * now, undefined for none; `modified` is the time of the last change. A malformed date is ignored, as the standard demands.
 */
export async function requirePreconditions(
  request: Pick<WireRequest, 'headers'>,
  { etag, modified }: { etag: () => Promise<string | undefined>; modified: Date },
): Promise<void> {
  const match = header(request, 'if-match');
  const noneMatch = header(request, 'if-none-match');
  const since = header(request, 'if-unmodified-since');
  const current = match === undefined && noneMatch === undefined ? undefined : await etag();
  if (match !== undefined) {
    const tags = parseEntityTags(match) ?? [];
    if (tags !== '*' && !tags.some(({ tag, isWeak }) => !isWeak && tag === current)) throw failed();
  } else if (since !== undefined && Math.floor(modified.getTime() / 1000) * 1000 > Date.parse(since)) throw failed();
  if (etagMatches(noneMatch, current ?? '')) throw failed();
}
