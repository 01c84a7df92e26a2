import { Type } from 'typebox';
import { BadRequest } from '../../lib/errors.ts';
import { parseInstant } from '../../lib/iso-date.ts';
import type { JsonObject } from '../../lib/json-object.ts';
import { batchLinks, readBatch } from '../../serializer/batch.ts';
import { componentUrl } from '../../serializer/components.ts';
import type { RequestContext } from '../../services/service.ts';
import { type AliasFilter, type AliasRow, countAliases, listAliases } from './statements.ts';

/** Default of `b_size` (plone.restapi §6.1). */
const DEFAULT_SIZE = 25;

/** The query of GET `@aliases`. Empty values count as absent. */
export const AliasesQuery = Type.Object({
  query: Type.Optional(
    Type.String({ description: 'What the path begins with, when it begins with a slash, else a part of the path.' }),
  ),
  q: Type.Optional(Type.String({ description: 'The same as `query`.' })),
  manual: Type.Optional(Type.Boolean({ description: 'Only those that people made, or only those that moves left.' })),
  start: Type.Optional(Type.String({ description: 'Only those made at this time or later.' })),
  end: Type.Optional(Type.String({ description: 'Only those made before this time.' })),
  datetime: Type.Optional(Type.String({ description: 'The same as `end`.' })),
  b_start: Type.Optional(Type.Integer({ description: 'Aliases to skip.' })),
  b_size: Type.Optional(Type.Integer({ description: 'Largest number of aliases to list: 25 unless given.' })),
});

/** A list of aliases. */
export const Aliases = Type.Object({
  '@id': Type.String({ format: 'uri' }),
  items: Type.Array(
    Type.Object({
      path: Type.String(),
      'redirect-to': Type.String({ description: 'Path of the content, or an address elsewhere.' }),
      datetime: Type.String({ format: 'date-time' }),
      manual: Type.Boolean({ description: 'Whether a person made it, and not a move.' }),
    }),
  ),
  items_total: Type.Integer(),
  batching: Type.Optional(Type.Object({}, { additionalProperties: true, description: 'Links to other parts.' })),
  links: Type.Optional(Type.Object({}, { additionalProperties: true, description: 'The same as `batching`.' })),
});

function parseInstantParameter(query: URLSearchParams, name: string): Date | null {
  const text = query.get(name)?.trim() ?? '';
  if (text === '') return null;
  // A plus sign that was not percent-encoded arrives as a space.
  const instant = parseInstant(text.replace(/ (\d\d:?\d\d)$/, '+$1')) ?? parseInstant(text);
  if (!instant) throw new BadRequest(`Invalid ${name}: Not a date`);
  return instant;
}

function parseFlag(query: URLSearchParams, name: string): boolean | null {
  const text = query.get(name)?.trim().toLowerCase() ?? '';
  if (text === '') return null;
  if (['true', '1', 'yes', 'on'].includes(text)) return true;
  if (['false', '0', 'no', 'off'].includes(text)) return false;
  throw new BadRequest(`Invalid ${name}: Must be true or false`);
}

/** Parses the filter of the query string. `target` is the object whose aliases are listed; null for all. Throws BadRequest. */
export function parseFilter({ searchParams, caller }: RequestContext, target: number | null): AliasFilter {
  const text = searchParams.get('query')?.trim() || searchParams.get('q')?.trim() || null;
  if (text?.includes('\u0000')) throw new BadRequest('Invalid query: U+0000 is in no path');
  const ends = [parseInstantParameter(searchParams, 'end'), parseInstantParameter(searchParams, 'datetime')].filter(
    (date) => date !== null,
  );
  return {
    target,
    principals: caller.principals,
    prefix: text?.startsWith('/') ? text : null,
    part: text?.startsWith('/') ? null : text,
    manual: parseFlag(searchParams, 'manual'),
    start: parseInstantParameter(searchParams, 'start'),
    end: ends.sort((a, b) => a.getTime() - b.getTime())[0] ?? null,
  };
}

/** One alias in responses. */
const aliasJson = ({ path, target, created, manual }: AliasRow): JsonObject => ({
  datetime: created.toISOString(),
  manual,
  path,
  'redirect-to': target,
});

/** The batch of aliases that the query string asks for. */
export async function aliasesJson(context: RequestContext, target: number | null): Promise<JsonObject> {
  const filter = parseFilter(context, target);
  const batch = readBatch(context.searchParams, DEFAULT_SIZE);
  const total = await countAliases(context.db, filter);
  const rows = await listAliases(context.db, filter, { after: null, offset: batch.start, limit: batch.size });
  const url = componentUrl(context, context.resolved, 'aliases');
  const { batching } = batchLinks(url, batch, total);
  return {
    '@id': url,
    items: rows.map(aliasJson),
    items_total: total,
    ...(batching === undefined ? {} : { batching, links: batching }),
  };
}
