import { type Static, type StaticDecode, Type } from 'typebox';
import {
  batching,
  componentUrl,
  publishing,
  type RenderContext,
  type RequestContext,
  type ResolvedNode,
  schemas,
} from '#core';
import { parseInstant } from '#lib/time/iso-date';
import { type AliasFilter, type AliasRow, countAliases, listAliases } from './statements.ts';

/** A date of the query. A plus sign that was not percent-encoded arrives as a space. `run` gets a Date. */
const QueryDate = (name: string, description: string) => {
  const parse = (text: string) => parseInstant(text.replace(/ (\d\d:?\d\d)$/, '+$1')) ?? parseInstant(text);
  return Type.Decode(
    Type.Refine(
      schemas.Words({ description, reject: `Invalid ${name}: Not a date` }),
      (text) => parse(text) !== undefined,
    ),
    (text) => parse(text) ?? new Date(Number.NaN),
  );
};

/** Words that the path is searched for. */
const PathWords = (description: string) =>
  Type.Refine(
    schemas.Words({ description, reject: 'Invalid query: U+0000 is in no path' }),
    (text) => !text.includes('\u0000'),
  );

/** The query of GET `@aliases`. */
export const AliasesQuery = Type.Object({
  query: Type.Optional(PathWords('What the path begins with, when it begins with a slash, else a part of the path.')),
  q: Type.Optional(PathWords('The same as `query`.')),
  manual: Type.Optional(
    Type.Boolean({
      description: 'Only those that people made, or only those that moves left.',
      reject: 'Invalid manual: Must be true or false',
    }),
  ),
  start: Type.Optional(QueryDate('start', 'Only those made at this time or later.')),
  end: Type.Optional(QueryDate('end', 'Only those made before this time.')),
  datetime: Type.Optional(QueryDate('datetime', 'The same as `end`.')),
  ...batching.Query('aliases', { size: 25 }),
});

/** The parameters of a list. */
export type ListQuery = StaticDecode<typeof AliasesQuery>;

/** A list of aliases. `links` is the same as `batching`. */
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
  ...batching.Links.properties,
  links: batching.Links.properties.batching,
});
type Aliases = Static<typeof Aliases>;

/** A filter for the aliases that the caller may see. `target` is the object that the aliases lead to; null for all. */
export const everyAlias = (
  { site, caller }: Pick<RequestContext, 'site' | 'caller'>,
  target: number | null,
): AliasFilter => ({
  ...publishing.viewersOf(site, caller),
  ...{ target, prefix: null, part: null, manual: null, start: null, end: null },
});

/** The filter of a query. `target` is the object whose aliases are listed; null for all. */
export function filterOf(
  { query: { query, q, manual, start, end, datetime }, site, caller }: RequestContext & { query: ListQuery },
  target: number | null,
): AliasFilter {
  const text = query ?? q ?? null;
  const ends = [end, datetime].filter((date) => date !== undefined);
  return {
    ...everyAlias({ site, caller }, target),
    prefix: text?.startsWith('/') ? text : null,
    part: text?.startsWith('/') ? null : text,
    manual: manual ?? null,
    start: start ?? null,
    end: ends.sort((a, b) => a.getTime() - b.getTime())[0] ?? null,
  };
}

/** One alias in responses. */
const aliasJson = ({ path, target, created, manual }: AliasRow): Aliases['items'][number] => ({
  datetime: created.toISOString(),
  manual,
  path,
  'redirect-to': target,
});

/** The batch of aliases that the query string asks for. */
export const aliasesJson = (context: RequestContext & { query: ListQuery }, target: number | null): Promise<Aliases> =>
  aliasBatch(context, context.resolved, filterOf(context, target), batching.of(context.query, context.searchParams));

/** A batch of aliases, with the links to the others. */
export async function aliasBatch(
  context: RenderContext,
  resolved: ResolvedNode,
  filter: AliasFilter,
  batch: batching.Request,
): Promise<Aliases> {
  const rows = await listAliases(context.db, filter, { after: null, offset: batch.start, limit: batch.size });
  const isWhole = batch.start === 0 && rows.length < batch.size;
  const total = isWhole ? rows.length : await countAliases(context.db, filter);
  const url = componentUrl(context, resolved, 'aliases');
  const { batching: links } = batching.linksOf(url, batch, total);
  return {
    '@id': url,
    items: rows.map(aliasJson),
    items_total: total,
    ...(links === undefined ? {} : { batching: links, links }),
  };
}
