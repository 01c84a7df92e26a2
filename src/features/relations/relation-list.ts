import { type Static, Type } from 'typebox';
import { publishing, type RequestContext, references, requests, schemas, searchResults, urlOf } from '#core';
import { BadRequest, NotFound } from '#lib/errors';
import { closedRelations, relationField } from './relation-change.ts';
import {
  type BrokenRelation,
  brokenRelations,
  countRelations,
  type RelationPair,
  relationPairs,
} from './statements.ts';

/** The parts of a request that the listing needs. */
type Reader = Pick<RequestContext, 'db' | 'site' | 'caller' | 'base' | 'metadataFields'>;

/** Number of relations of each name in a response by default, and maximum. */
const DEFAULT_LIMIT = 1000;
const MAX_LIMIT = 10_000;

/** The parameters of a list of relations: names and addresses as clients send them. Absent members match everything. */
export const RelationsQuery = Type.Object({
  relation: Type.Optional(schemas.Words({ description: 'Name of the relation.' })),
  source: Type.Optional(schemas.Words({ description: 'Path or UID of the source.' })),
  target: Type.Optional(schemas.Words({ description: 'Path or UID of the target.' })),
  query_source: Type.Optional(schemas.Words({ description: 'Path that sources are at or below, or words in them.' })),
  query_target: Type.Optional(schemas.Words({ description: 'Path that targets are at or below, or words in them.' })),
  max: Type.Decode(
    Type.Integer({
      description: 'Most relations of each name; `items_total` counts all.',
      default: DEFAULT_LIMIT,
      reject: 'Invalid max: Not an integer',
    }),
    (max) => Math.min(MAX_LIMIT, Math.max(0, max)),
  ),
  onlyBroken: Type.Boolean({
    description: 'Only relations to content that is not there.',
    default: false,
    message: 'must be true or false',
  }),
});
type RelationQuery = Omit<Static<typeof RelationsQuery>, 'onlyBroken'>;

/** Maximum number of objects to which words narrow an end. */
const MAX_ENDS = 5000;

type Counts = Record<string, number>;

const End = schemas.Extensible({
  '@id': schemas.Address,
  '@type': Type.String(),
  title: Type.String(),
  UID: Type.String(),
});
const Pair = Type.Object({ source: End, target: End });
const Broken = Type.Tuple([schemas.Address, Type.String()], {
  description: 'Address of the source and UID of the missing target.',
});

/** Relations in responses, by their names. */
export const RelationsByName = Type.Record(
  Type.String(),
  Type.Object({
    items: Type.Union([Type.Array(Pair), Type.Array(Broken)]),
    items_total: Type.Integer(),
    readonly: Type.Optional(Type.Boolean({ description: 'Whether no type lets clients change it.' })),
    staticCatalogVocabularyQuery: Type.Optional(
      Type.Unknown({ description: 'The query for targets that the field has; null for none.' }),
    ),
  }),
);
type RelationsByName = Static<typeof RelationsByName>;

/** Groups rows by the names of their relations. */
function byName<R extends { relation: string; total: number }, Item>(
  rows: readonly R[],
  item: (row: R) => Item,
): Record<string, { items: Item[]; items_total: number }> {
  const found: Record<string, { items: Item[]; items_total: number }> = {};
  for (const row of rows) {
    const entry = found[row.relation] ?? { items: [], items_total: row.total };
    entry.items.push(item(row));
    found[row.relation] = entry;
  }
  return found;
}

/** References with summaries of their ends. One statement for all ends. */
async function pairsJson(context: Reader, pairs: readonly RelationPair[]): Promise<RelationsByName> {
  const { db, site, base, metadataFields } = context;
  const uids = [...new Set(pairs.flatMap(({ source, target }) => [source, target]))];
  const rows = uids.length === 0 ? [] : await references.targets(db, publishing.viewRuleOf(site), uids);
  const ends = new Map(
    rows.map((row) => [row.uid, { ...searchResults.summary(site, base, row, metadataFields), UID: row.uid }]),
  );
  const present = pairs.flatMap(({ source: from, target: to, ...pair }) => {
    const [source, target] = [ends.get(from), ends.get(to)];
    return source && target ? { ...pair, ends: { source, target } } : [];
  });
  return byName(present, (pair) => pair.ends);
}

/** References without a target: address of the source, UID of the missing target. */
const brokenJson = ({ base }: Reader, rows: readonly BrokenRelation[]): RelationsByName =>
  byName(rows, ({ path, target }): [string, string] => [urlOf(base, path), target]);

/** Numbers of relations, and of relations without a target, by name. */
export async function relationStats({ db, caller, site }: Reader): Promise<{ stats: Counts; broken: Counts }> {
  const counts = await countRelations(db, { ...publishing.viewersOf(site, caller), closed: closedRelations(site) });
  const countsOf = (of: 'whole' | 'broken'): Counts =>
    Object.fromEntries(counts.filter((count) => count[of] > 0).map((count) => [count.relation, count[of]]));
  return { stats: countsOf('whole'), broken: countsOf('broken') };
}

/** The UIDs of the given ends. Throws NotFound for an end that the caller may not view, or that does not exist. */
export async function findEnds(
  context: RequestContext,
  ends: { source?: string | undefined; target?: string | undefined },
): Promise<{ source?: string; target?: string }> {
  const given = Object.entries(ends).filter((entry): entry is [string, string] => entry[1] !== undefined);
  if (given.length === 0) return {};
  const find = await references.visibleEnds(
    context.db,
    { rule: publishing.viewRuleOf(context.site), caller: context.caller },
    { references: given.map(([, reference]) => reference), bases: requests.basesOf(context) },
  );
  const uidOf = (reference: string): string => {
    const found = find(reference);
    if (!found) throw new NotFound(reference);
    return found.uid;
  };
  return Object.fromEntries(given.map(([name, reference]) => [name, uidOf(reference)]));
}

/** Narrows an end by `query_source` or `query_target`: a path if it begins with a slash, else the objects with its words. */
async function narrowed(
  context: Reader,
  name: 'query_source' | 'query_target',
  value: string | undefined,
): Promise<{ path?: string; oids?: number[] }> {
  if (value === undefined) return {};
  if (value.startsWith('/')) return { path: value.length > 1 && value.endsWith('/') ? value.slice(0, -1) : value };
  const { oids, total } = await searchResults.findByWords(context, value, MAX_ENDS);
  if (total > MAX_ENDS) throw new BadRequest(`"${name}" finds too much content. Use more words.`);
  return { oids };
}

/** Returns `readonly`, which is true if no type lets clients change the relation, and the query for its targets. */
function aboutRelation({ site }: Reader, relation: string) {
  const fields = [...site.types.keys()].flatMap((type) => relationField(site, type, relation) ?? []);
  const query = fields.map(({ widgetOptions }) => widgetOptions?.staticCatalogVocabularyQuery).find(Boolean);
  return { readonly: fields.length === 0, staticCatalogVocabularyQuery: query ?? null };
}

/** Relations without a target, by name, as far as the caller may view their sources. */
export async function listBroken(context: Reader, { relation, max }: RelationQuery): Promise<RelationsByName> {
  const { db, site, caller } = context;
  const scope = { ...publishing.viewersOf(site, caller), closed: closedRelations(site), relation };
  return brokenJson(context, await brokenRelations(db, scope, max));
}

/** Relations by name, as far as the caller may view both ends. Throws NotFound for an unknown source or target. */
export async function listRelations(context: RequestContext, query: RelationQuery): Promise<RelationsByName> {
  const { db, site, caller } = context;
  const { relation, max } = query;
  const ends = await findEnds(context, { source: query.source, target: query.target });
  const sources = await narrowed(context, 'query_source', query.query_source);
  const targets = await narrowed(context, 'query_target', query.query_target);
  const pairs = await relationPairs(
    db,
    {
      ...publishing.viewersOf(site, caller),
      closed: closedRelations(site),
      relation,
      ...ends,
      sourcePath: sources.path,
      targetPath: targets.path,
      sources: sources.oids,
      targets: targets.oids,
    },
    max,
  );
  const relations = await pairsJson(context, pairs);
  if (relation === undefined) return relations;
  const found = relations[relation] ?? { items: [], items_total: 0 };
  return { [relation]: { ...found, ...aboutRelation(context, relation) } };
}
