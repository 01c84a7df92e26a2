import { Type } from 'typebox';
import { headerOf, LOCK_TOKEN } from '../../services/content/represent-path.ts';
import { defineService, noContent } from '../../services/service.ts';
import { unlinkTranslation } from './translation-link.ts';
import { MANAGE_TRANSLATIONS } from './translation-rights.ts';

/** DELETE `@translations`: unlinks a translation. */
export const deleteTranslations = defineService({
  name: '@translations',
  method: 'DELETE',
  context: 'content',
  permission: MANAGE_TRANSLATIONS,
  summary: 'Unlinks the translation in a language; the content stays.',
  headers: LOCK_TOKEN,
  body: Type.Object(
    { language: Type.String({ minLength: 1, description: 'Language of the translation.' }) },
    { additionalProperties: true, examples: [{ language: 'nl' }] },
  ),
  responses: {
    204: { description: 'Unlinked.' },
    400: { description: 'There is no translation in that language.' },
  },
  async run(context) {
    const { kernel, caller, resolved, body } = context;
    await unlinkTranslation(kernel, {
      caller,
      path: resolved.object.path,
      language: String(body.language),
      lockToken: headerOf(context, 'lock-token'),
    });
    return noContent();
  },
});
