import { stemmerFor } from '../../catalog/stemmer.ts';
import { embeddingsOf } from '../../content/embeddings.ts';
import { listSetting } from '../../site/site.ts';
import type { Located } from '../../storage/content-row.ts';
import { nearestRows } from '../../storage/statements/embedding-related.ts';
import { type RelatedRow, relatedRows } from '../../storage/statements/nav-related.ts';
import { type Component, componentUrl } from '../components.ts';
import { type RenderContext, urlOf } from '../render-context.ts';
import { allMetadata } from '../summary.ts';

/** How many objects are told of (Nick). */
const COUNT = 5;

/** By embeddings where the site has them; by full text where it has none, or none of this object yet. */
async function findRelated({ kernel, db, site, caller }: RenderContext, { object }: Located): Promise<RelatedRow[]> {
  const wanted = {
    oid: object.oid,
    principals: caller.principals,
    hiddenTypes: listSetting(site, 'search', 'types_not_searched'),
    limit: COUNT,
  };
  const embeddings = embeddingsOf(kernel);
  const nearest = embeddings ? await nearestRows(db, { ...wanted, model: embeddings.model }) : [];
  if (nearest.length > 0) return nearest;
  embeddings?.note(object.oid);
  return relatedRows(db, { ...wanted, stemmer: stemmerFor(object.language) });
}

/** The objects that are most like this one (Nick, `@related`). */
export const related: Component = {
  name: 'related',
  async expand(context, located) {
    const { site, base } = context;
    const rows = await findRelated(context, located);
    const items = rows.map((row) => ({
      ...allMetadata(site, base, row),
      '@id': urlOf(base, row.path),
      '@type': row.type,
      title: row.title,
      description: row.description,
      similarity: row.similarity,
    }));
    return { '@id': componentUrl(context, located, 'related'), items };
  },
};
