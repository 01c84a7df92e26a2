import { Type } from 'typebox';
import { BadRequest } from '../../lib/errors.ts';
import { VIEW } from '../../security/permissions.ts';
import { urlOf } from '../../serializer/render-context.ts';
import { defineService, ok } from '../../services/service.ts';
import { listSetting } from '../../site/site.ts';
import { translationPlace } from './translation-place.ts';

/** GET `@translation-locator`: where a translation belongs. */
export const getTranslationLocator = defineService({
  name: '@translation-locator',
  method: 'GET',
  cacheable: true,
  context: 'content',
  permission: VIEW,
  summary: 'The container that a translation into a language of the site belongs in.',
  tag: 'translations',
  query: Type.Object({ target_language: Type.String({ description: 'Language of the translation.' }) }),
  responses: {
    200: { description: 'The container.', schema: Type.Object({ '@id': Type.String({ format: 'uri' }) }) },
    400: { description: 'The language is missing, or none of the site.' },
  },
  async run({ db, site, caller, resolved, base, searchParams }) {
    const language = searchParams.get('target_language') ?? '';
    const available = listSetting(site, 'language', 'available_languages');
    if (!available.includes(language))
      throw new BadRequest(`"target_language" must be one of the languages of the site: ${available.join(', ')}.`);
    return ok({ '@id': urlOf(base, await translationPlace(db, { site, caller, resolved, language })) });
  },
});
