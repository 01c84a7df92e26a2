import { Type } from 'typebox';
import { BadRequest } from '../../lib/errors.ts';
import { type BatchRequest, parseBatch } from '../../serializer/batch.ts';
import { integerParameter } from '../../serializer/query-parameters.ts';
import type { TermFilter } from '../../types/vocabularies/term.ts';

/** Terms in one batch unless the client says otherwise: forms want all of them. */
const DEFAULT_SIZE = 1000;
/** Terms that come when a client wants all of them. Where there are more, `batching` leads on. */
const MOST = 10_000;

/** The parameters that choose a part of a list of terms. */
export const BATCH_PARAMETERS = {
  b_start: Type.Optional(Type.Integer({ description: 'Index of the first term.', default: 0 })),
  b_size: Type.Optional(
    Type.Integer({ description: 'Terms in a batch; -1 for all of them, 10000 at most.', default: DEFAULT_SIZE }),
  ),
};

/** The parameters of a list of terms. */
export const TermParameters = Type.Object({
  title: Type.Optional(Type.String({ description: 'Part of the title, in any case.' })),
  token: Type.Optional(Type.String({ description: 'Token of the only term that is wanted.' })),
  tokens: Type.Optional(Type.Array(Type.String(), { description: 'Tokens of the terms that are wanted.' })),
  sort_on: Type.Optional(Type.String({ description: '`title` for the order of titles.' })),
  ...BATCH_PARAMETERS,
});

/** The part of a list of terms that is asked for. Throws BadRequest for what is no number. */
export function readTermBatch(query: URLSearchParams): BatchRequest {
  const batch = parseBatch(query, DEFAULT_SIZE);
  return integerParameter(query, 'b_size', DEFAULT_SIZE) < 0 ? { ...batch, size: MOST } : batch;
}

/** Which terms are asked for; an empty parameter is none. Throws BadRequest when they are chosen in two ways. */
export function readTermFilter(query: URLSearchParams): TermFilter {
  const title = query.get('title') || undefined;
  const token = query.get('token') || undefined;
  const tokens = [...query.getAll('tokens'), ...query.getAll('tokens:list')].filter(Boolean);
  const ways = [title, token, tokens[0]].filter((way) => way !== undefined);
  if (ways.length > 1)
    throw new BadRequest('Use only one of the parameters title, token and tokens.', 'Invalid parameters');
  if (title !== undefined) return { title };
  if (token !== undefined) return { tokens: [token] };
  return tokens.length > 0 ? { tokens } : {};
}

/** Whether the terms are wanted by title. Throws BadRequest for another order. */
export function readByTitle(query: URLSearchParams): boolean {
  const on = query.get('sort_on') || undefined;
  if (on !== undefined && on !== 'title') throw new BadRequest('Terms can be sorted by title only: sort_on=title.');
  return on === 'title';
}
