import { Type } from 'typebox';
import { VIEW } from '../../security/permissions.ts';
import { defineService, ok } from '../../services/service.ts';
import { translations } from './translations.ts';

const Translations = Type.Object({
  '@id': Type.String({ format: 'uri' }),
  items: Type.Array(Type.Object({ '@id': Type.String({ format: 'uri' }), language: Type.String() })),
  root: Type.Record(Type.String(), Type.String({ format: 'uri' })),
});

/** GET `@translations`: the content in other languages. */
export const getTranslations = defineService({
  name: '@translations',
  method: 'GET',
  cacheable: true,
  context: 'content',
  permission: VIEW,
  summary: 'The same content in other languages, and where each language begins.',
  responses: { 200: { description: 'The translations that the caller may view.', schema: Translations } },
  run: async (context) => ok(await translations.expand(context, context.resolved)),
});
