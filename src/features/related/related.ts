import { stemmerFor } from '../../catalog/stemmer.ts';
import { type Component, componentUrl } from '../../serializer/components.ts';
import { type RenderContext, urlOf } from '../../serializer/render-context.ts';
import { allMetadata } from '../../serializer/summary.ts';
import { listSetting } from '../../site/site.ts';
import type { ResolvedNode } from '../../storage/content-row.ts';
import { type RelatedRow, relatedRows } from '../../storage/statements/nav-related.ts';
import { EMBEDDINGS } from './embeddings.ts';
import { nearestRows } from './statements/embedding-related.ts';

/** How many objects are told of (Nick). */
const COUNT = 5;

/** By embeddings where the site has them; by full text where it has none, or none of this object yet. */
async function findRelated(
  { kernel, db, site, caller }: RenderContext,
  { object }: ResolvedNode,
): Promise<RelatedRow[]> {
  const wanted = {
    oid: object.oid,
    principals: caller.principals,
    hiddenTypes: listSetting(site, 'search', 'types_not_searched'),
    limit: COUNT,
  };
  const embeddings = kernel.slots.find(EMBEDDINGS);
  const nearest = embeddings ? await nearestRows(db, { ...wanted, model: embeddings.model }) : [];
  if (nearest.length > 0) return nearest;
  embeddings?.note(object.oid);
  return relatedRows(db, { ...wanted, stemmer: stemmerFor(object.language) });
}

/** The objects that are most like this one (Nick, `@related`). */
export const related: Component = {
  name: 'related',
  async expand(context, resolved) {
    const { site, base } = context;
    const rows = await findRelated(context, resolved);
    const items = rows.map((row) => ({
      ...allMetadata(site, base, row),
      '@id': urlOf(base, row.path),
      '@type': row.type,
      title: row.title,
      description: row.description,
      similarity: row.similarity,
    }));
    return { '@id': componentUrl(context, resolved, 'related'), items };
  },
};
