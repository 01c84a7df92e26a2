import { Type } from 'typebox';
import { has } from '../../content/permissions.ts';
import { VIEW } from '../../security/permissions.ts';
import { componentUrl } from '../../serializer/components.ts';
import { findVocabulary, vocabularyNames } from '../../site/vocabulary-registry.ts';
import { type Call, defineService, ok } from '../service.ts';

const Entry = Type.Object({ '@id': Type.String({ format: 'uri' }), title: Type.String() });

/** The names of the vocabularies that the caller may read here. */
const readable = ({ site, caller, located }: Call): string[] =>
  vocabularyNames(site).filter((name) => {
    const permission = findVocabulary(site, name)?.permission;
    return permission === undefined || has(site, caller, located, permission);
  });

/** GET `@vocabularies`: the vocabularies that there are. */
export const getVocabularies = defineService({
  name: '@vocabularies',
  method: 'GET',
  cacheable: true,
  context: 'content',
  permission: VIEW,
  summary: 'The vocabularies that the caller may read here, by name.',
  responses: { 200: { description: 'The vocabularies.', schema: Type.Array(Entry) } },
  async run(call) {
    const url = componentUrl(call, call.located, 'vocabularies');
    return ok(readable(call).map((name) => ({ '@id': `${url}/${encodeURIComponent(name)}`, title: name })));
  },
});
