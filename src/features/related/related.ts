import { Type } from 'typebox';
import {
  componentUrl,
  defineComponent,
  defineService,
  ok,
  panelSettings,
  panels,
  publishing,
  type RenderContext,
  type ResolvedNode,
  schemas,
  searchResults,
  searchWords,
  urlOf,
  VIEW,
} from '#core';
import { EMBEDDINGS } from './embeddings.ts';
import { type RelatedRow, relatedRows } from './statements/full-text.ts';
import { nearestRows } from './statements.ts';

/** Number of listed objects (Nick). */
const MAX_RELATED = 5;

/** Finds related objects by embeddings if this object has one, else by full text. */
async function findRelated(
  { kernel, db, site, caller }: RenderContext,
  { object }: ResolvedNode,
): Promise<RelatedRow[]> {
  const wanted = {
    oid: object.oid,
    ...publishing.viewersOf(site, caller),
    hiddenTypes: panelSettings(site, panels.search).types_not_searched,
    limit: MAX_RELATED,
  };
  const embeddings = kernel.slots.find(EMBEDDINGS);
  const nearest = embeddings ? await nearestRows(db, { ...wanted, model: embeddings.model }) : [];
  if (nearest.length > 0) return nearest;
  embeddings?.schedule(object.oid);
  return relatedRows(db, { ...wanted, stemmer: searchWords.stemmer(object.language) });
}

/** The objects most similar to this one (Nick, `@related`). */
export const related = defineComponent({
  name: 'related',
  schema: Type.Object({
    '@id': schemas.Address,
    items: Type.Array(schemas.Extensible({ '@id': schemas.Address, similarity: Type.Number() })),
  }),
  async expand(context, resolved) {
    const { site, base } = context;
    const rows = await findRelated(context, resolved);
    const items = rows.map((row) =>
      Object.assign(searchResults.allMetadata(site, base, row), {
        '@id': urlOf(base, row.path),
        '@type': row.type,
        title: row.title,
        description: row.description,
        similarity: row.similarity,
      }),
    );
    return { '@id': componentUrl(context, resolved, 'related'), items };
  },
});

/** GET `@related`: content with similar words. */
export const getRelated = defineService({
  name: '@related',
  method: 'GET',
  context: 'content',
  permission: VIEW,
  summary: 'Up to five content objects whose words are most like those of this one.',
  responses: { 200: { description: 'The objects with their similarity, from 0 to 1.', schema: related.schema } },
  run: async (context) => ok(await related.expand(context, context.resolved)),
});
