import { Type } from 'typebox';
import { basesOf, headerOf, LOCK_TOKEN } from '../../services/content/represent-path.ts';
import { defineService, noContent } from '../../services/service.ts';
import { linkTranslation } from './translation-link.ts';
import { MANAGE_TRANSLATIONS } from './translation-rights.ts';

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
  async run(context) {
    const { kernel, caller, resolved, body } = context;
    await linkTranslation(kernel, {
      caller,
      path: resolved.object.path,
      reference: String(body.id),
      bases: basesOf(context),
      lockToken: headerOf(context, 'lock-token'),
    });
    return noContent();
  },
});
