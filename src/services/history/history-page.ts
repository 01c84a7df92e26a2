import { integerParameter } from '../../serializer/batch.ts';

/** Entries of a history in one answer, unless fewer are asked for. */
const MOST = 1000;

/** A part of a history. `next` answers the header that links the part behind it. */
export type HistoryPage = { limit: number; offset: number; next(url: string): { Link?: string } };

/** Reads `b_start` and `b_size`. The answer is a bare array: what does not fit is linked from a header, never cut silently. */
export function readHistoryPage(query: URLSearchParams): HistoryPage {
  const limit = Math.min(MOST, Math.max(0, integerParameter(query, 'b_size', MOST)));
  const offset = Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, integerParameter(query, 'b_start', 0)));
  return {
    limit,
    offset,
    next(url) {
      if (limit === 0) return {};
      const rest = new URLSearchParams(query);
      rest.set('b_start', String(offset + limit));
      return { Link: `<${url}?${rest}>; rel="next"` };
    },
  };
}
