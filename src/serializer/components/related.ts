import { listSetting } from '../../site/site.ts';
import { relatedRows } from '../../storage/statements/nav-related.ts';
import { type Component, componentUrl } from '../components.ts';
import { urlOf } from '../render-context.ts';
import { allMetadata } from '../summary.ts';

/** How many objects are told of (Nick). */
const COUNT = 5;

/** The objects whose words are most like those of this one (Nick, `@related`): by full text. */
export const related: Component = {
  name: 'related',
  async expand(context, located) {
    const { site, base, caller } = context;
    const rows = await relatedRows(context.db, {
      oid: located.object.oid,
      principals: caller.principals,
      hiddenTypes: listSetting(site, 'search', 'types_not_searched'),
      limit: COUNT,
    });
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
