import { type BarePage, readBarePage } from '../../serializer/bare-page.ts';

/** Entries of a history in one answer, unless fewer are asked for. */
const MOST = 1000;

/** Reads `b_start` and `b_size` of a history. */
export const readHistoryPage = (query: URLSearchParams): BarePage =>
  readBarePage(query, { parameter: 'b_size', size: MOST, most: MOST });
