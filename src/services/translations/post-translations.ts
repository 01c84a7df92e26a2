import { Type } from 'typebox';
import { linkTranslation } from '../../content/translation-link.ts';
import { MANAGE_TRANSLATIONS } from '../../content/translation-rights.ts';
import { basesOf, headerOf, LOCK_TOKEN } from '../content/represent-path.ts';
import { defineService, noContent } from '../service.ts';

/** POST `@translations`: links existing content. */
export const postTranslations = defineService({
  name: '@translations',
  method: 'POST',
  context: 'content',
  permission: MANAGE_TRANSLATIONS,
  summary: 'Links existing content as the translation of this one. Needs the right to do so on both sides.',
  headers: LOCK_TOKEN,
  body: Type.Object(
    { id: Type.String({ minLength: 1, description: 'Path, address or UID of the other content.' }) },
    { additionalProperties: true, examples: [{ id: '/nl/evenementen' }] },
  ),
  responses: {
    204: { description: 'Linked.' },
    400: { description: 'There is no such content, or one of the two has another translation already.' },
  },
  async run(call) {
    const { kernel, caller, located, body } = call;
    await linkTranslation(kernel, {
      caller,
      path: located.object.path,
      reference: String(body.id),
      bases: basesOf(call),
      lockToken: headerOf(call, 'lock-token'),
    });
    return noContent();
  },
});
