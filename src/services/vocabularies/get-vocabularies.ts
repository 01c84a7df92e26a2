import { Type } from 'typebox';
import { has } from '../../content/permissions.ts';
import { VIEW } from '../../security/permissions.ts';
import { componentUrl } from '../../serializer/components.ts';
import { defineService, ok, type RequestContext } from '../service.ts';

const Entry = Type.Object({ '@id': Type.String({ format: 'uri' }), title: Type.String() });

/** The names of the vocabularies that the caller may read here. */
const readable = ({ site, caller, resolved }: RequestContext): string[] =>
  site.registries.vocabularies.names(site).filter((name) => {
    const permission = site.registries.vocabularies.find(site, name)?.permission;
    return permission === undefined || has(site, caller, resolved, permission);
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
  async run(context) {
    const url = componentUrl(context, context.resolved, 'vocabularies');
    return ok(readable(context).map((name) => ({ '@id': `${url}/${encodeURIComponent(name)}`, title: name })));
  },
});
