import { Type } from 'typebox';
import { namesOf } from '../../content/tree-path.ts';
import { VIEW } from '../../security/permissions.ts';
import { DispositionQuery } from '../../services/download/disposition.ts';
import { documentedQuery } from '../../services/openapi/documented.ts';
import { defineService } from '../../services/service.ts';
import { exportHeaders } from './export-headers.ts';
import { exportObject } from './export-object.ts';

/** Longest path that becomes a file name, in characters; longer names are cut, and the id must not be. */
const MAX_NAME_LENGTH = 190;

/** The path with dots, as Nick names exports: `news.article.json`, `_root.json`. */
function exportName(path: string): string {
  const names = namesOf(path);
  const dotted = names.join('.');
  return `${dotted.length > MAX_NAME_LENGTH ? names.at(-1) : dotted || '_root'}.json`;
}

/** GET `@export`: the export representation. */
export const getExport = defineService({
  name: '@export',
  method: 'GET',
  context: 'content',
  permission: VIEW,
  summary: 'The content object in the form in which sites are written down.',
  query: documentedQuery(DispositionQuery),
  responses: {
    200: {
      description: 'The fields of the content, without what belongs to the API only.',
      schema: Type.Object(
        {
          title: Type.Optional(Type.String()),
          created: Type.String({ format: 'date-time' }),
          modified: Type.String({ format: 'date-time' }),
          effective: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
          owner: Type.String(),
          layout: Type.String(),
          type: Type.String(),
          uuid: Type.String(),
          workflow_state: Type.Union([Type.String(), Type.Null()]),
        },
        { additionalProperties: true },
      ),
    },
  },
  async run(context) {
    const { resolved } = context;
    return {
      status: 200,
      headers: exportHeaders(context, exportName(resolved.object.path)),
      body: await exportObject(context, resolved),
    };
  },
});
