import { Type } from 'typebox';
import { batching, defineService, ok, schemas } from '#core';
import { FOR_MANAGERS } from '../../site-export/managers.ts';
import { countListed, LINE_KINDS, listLines } from '../statements/uploaded-lines.ts';
import { requireExport } from './endpoints.ts';
import { importUrl } from './import-json.ts';
import { LINE_EFFECTS, Line } from './report.ts';
import { MAX_STORED_LINES } from './report-lines.ts';

/** GET `@imports/<id>/lines`: the lines of a report. */
export const getImportLines = defineService({
  name: '@imports',
  method: 'GET',
  ...FOR_MANAGERS,
  summary: 'The lines of the report of an uploaded export, also while its job runs.',
  rest: ['{id}/lines'],
  query: Type.Object({
    ...batching.Query('lines', { size: 100, most: 1000 }),
    kind: schemas.Choice([...LINE_KINDS], {
      description: `Problems, or with \`again\` changes and conflicts: the first ${MAX_STORED_LINES} of each.`,
      default: 'problem',
    }),
    effect: Type.Optional(
      schemas.Choice(LINE_EFFECTS, {
        description: 'Only problems with this effect, changes of this kind, or conflicts in which this side counts.',
      }),
    ),
  }),
  responses: {
    200: { description: 'A batch of the lines.', schema: batching.BatchOf(Line) },
    401: { description: 'The caller is not logged in.' },
    403: { description: 'The caller is no Manager of the site.' },
    404: { description: 'There is no such uploaded export.' },
  },
  async run({ db, base, params, query, searchParams }) {
    const { id } = await requireExport(db, params.id);
    const { kind, effect } = query;
    const part = batching.of(query, searchParams);
    const [items, total] = [
      await listLines(db, id, { kind, effect, ...part }),
      await countListed(db, id, { kind, effect }),
    ];
    const url = `${importUrl(base, id)}/lines`;
    return ok({
      '@id': url,
      items: items.map((line) => ({ path: null, ...line })),
      items_total: total,
      ...batching.linksOf(url, part, total),
    });
  },
});
