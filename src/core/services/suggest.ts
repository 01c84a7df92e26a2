import { Type } from 'typebox';
import { IntegerParameter } from '../../lib/schema/parameters.ts';
import { searchPanel } from '../configuration/panels/navigation.ts';
import { panelSettings } from '../configuration/panels/panel.ts';
import { findSuggestions } from '../search/suggestions.ts';
import { VIEW } from '../security/permissions.ts';
import { componentUrl } from '../serializer/components.ts';
import { urlOf } from '../serializer/render-context.ts';
import { viewerOf } from '../serializer/search-results.ts';
import { ok } from './response.ts';
import { defineService, type Service } from './service.ts';

const DEFAULT_SIZE = 10;
const MAX_SIZE = 20;

/** GET `@suggest`: titles and words for a search box, during typing. */
const getSuggest = defineService({
  name: '@suggest',
  method: 'GET',
  cacheable: true,
  context: 'content',
  permission: VIEW,
  summary: 'Titles and words at or below this object that go on as somebody types.',
  query: Type.Object({
    q: Type.String({ description: 'What was typed; nothing is suggested for a single letter.', default: '' }),
    size: IntegerParameter('size', {
      description: `Most titles and most words; ${MAX_SIZE} at most.`,
      default: DEFAULT_SIZE,
    }),
  }),
  responses: {
    200: {
      description: 'Titles of content that the caller may view, and words of such titles.',
      schema: Type.Object({
        '@id': Type.String({ format: 'uri' }),
        items: Type.Array(
          Type.Object({ '@id': Type.String({ format: 'uri' }), '@type': Type.String(), title: Type.String() }),
        ),
        words: Type.Array(Type.String({ description: 'A word that begins as the last one that was typed.' })),
      }),
    },
  },
  async run(context) {
    const { db, site, base, resolved, query } = context;
    const paths = [{ path: resolved.object.path }];
    const size = Math.min(MAX_SIZE, Math.max(0, query.size));
    const hiddenTypes = panelSettings(site, searchPanel).types_not_searched;
    const { titles, words } = await findSuggestions(
      db,
      { text: query.q, size, paths, hiddenTypes },
      viewerOf(context, resolved, { paths }),
    );
    return ok({
      '@id': componentUrl(context, resolved, 'suggest'),
      items: titles.map(({ path, type, title }) => ({ '@id': urlOf(base, path), '@type': type, title })),
      words,
    });
  },
});

export const suggestServices: Service[] = [getSuggest];
