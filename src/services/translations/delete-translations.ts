import { Type } from 'typebox';
import { unlinkTranslation } from '../../content/translation-link.ts';
import { MANAGE_TRANSLATIONS } from '../../content/translation-rights.ts';
import { headerOf, LOCK_TOKEN } from '../content/represent-path.ts';
import { defineService, noContent } from '../service.ts';

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
  async run(call) {
    const { kernel, caller, located, body } = call;
    await unlinkTranslation(kernel, {
      caller,
      path: located.object.path,
      language: String(body.language),
      lockToken: headerOf(call, 'lock-token'),
    });
    return noContent();
  },
});
