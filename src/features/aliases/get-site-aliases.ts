import { contentDisposition } from '../../lib/content-disposition.ts';
import { headerOf } from '../../services/content/represent-path.ts';
import { loggedStream } from '../../services/download/logged-stream.ts';
import { defineService, ok, type RequestContext, type ServiceResponse } from '../../services/service.ts';
import { MANAGE_PORTAL_ALIASES } from './alias-add.ts';
import { aliasesCsv } from './alias-csv.ts';
import { Aliases, AliasesQuery, aliasesJson, readFilter } from './alias-list.ts';
import { listAliases } from './statements/alias-rows.ts';

/** Aliases that are read and sent at once. */
const CHUNK = 1000;

/** Whether the client wants the file: the first media type of its `Accept` is that of CSV. */
const wantsCsv = (context: RequestContext): boolean =>
  (headerOf(context, 'accept') ?? '').split(/[,;]/, 1)[0]?.trim().toLowerCase() === 'text/csv';

/** The whole list as a file, read while it is sent. */
function csvResponse(context: RequestContext): ServiceResponse {
  const filter = readFilter(context, null);
  async function* parts(): AsyncGenerator<string> {
    let after: string | null = null;
    for (;;) {
      const rows = await listAliases(context.kernel.db, filter, { after, offset: 0, limit: CHUNK });
      yield aliasesCsv(rows, after === null);
      if (rows.length < CHUNK) return;
      after = rows.at(-1)?.path ?? null;
    }
  }
  return {
    status: 200,
    headers: { 'Content-Disposition': contentDisposition('attachment', 'redirects.csv') },
    contentType: 'text/csv; charset=utf-8',
    stream: loggedStream(context.kernel.log, () => parts()),
  };
}

/** GET `@aliases` of the site: all of them, as JSON or as a file. */
export const getSiteAliases = defineService({
  name: '@aliases',
  method: 'GET',
  context: 'site',
  permission: MANAGE_PORTAL_ALIASES,
  summary: 'Lists all addresses that lead elsewhere; with the header Accept: text/csv as a file.',
  query: AliasesQuery,
  responses: { 200: { description: 'The aliases by path.', schema: Aliases } },
  run: async (context) => (wantsCsv(context) ? csvResponse(context) : ok(await aliasesJson(context, null))),
});
