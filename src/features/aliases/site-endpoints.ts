import { type StaticDecode, Type } from 'typebox';
import { defineService, downloads, noContent, ok, type RequestContext, type ResultOf, requests } from '#core';
import { loadBatches } from '#lib/batches';
import { BadRequest } from '#lib/errors';
import { addSiteAliases, MANAGE_PORTAL_ALIASES, type WantedAlias } from './add.ts';
import { parseAliasPath, parseAliasTarget } from './addresses.ts';
import { aliasesCsv, CsvError, parseAliasesCsv } from './csv.ts';
import { itemList, REMOVED, RemoveAliasesBody, removeItems, SiteItems, sentPath } from './items.ts';
import { Aliases, AliasesQuery, aliasesJson, filterOf, type ListQuery } from './list.ts';
import { type AliasRow, listAliases } from './statements.ts';

/** Rows that are loaded and sent at once. */
const CSV_CHUNK_ROWS = 1000;

/** True if the client requests the file: the first media type of `Accept` is that of CSV. */
const wantsCsv = (context: RequestContext): boolean =>
  (requests.headerOf(context, 'accept') ?? '').split(/[,;]/, 1)[0]?.trim().toLowerCase() === 'text/csv';

const LISTED = { 200: { description: 'The aliases by path.', schema: Aliases, otherType: 'text/csv' } };

/** The whole list as a file, loaded while it is sent. */
function csvResponse(context: RequestContext & { query: ListQuery }): ResultOf<typeof LISTED> {
  const filter = filterOf(context, null);
  async function* parts(): AsyncGenerator<string> {
    yield aliasesCsv([], true);
    const load = (last: AliasRow | undefined) =>
      listAliases(context.kernel.db, filter, { after: last?.path ?? null, offset: 0, limit: CSV_CHUNK_ROWS });
    for await (const rows of loadBatches(CSV_CHUNK_ROWS, load)) yield aliasesCsv(rows, false);
  }
  return downloads.csvResponse(context.kernel.log, 'redirects.csv', parts);
}

/** GET `@aliases` of the site: all aliases, as JSON or as a file. */
export const getSiteAliases = defineService({
  name: '@aliases',
  method: 'GET',
  context: 'site',
  overrides: true,
  permission: MANAGE_PORTAL_ALIASES,
  summary: 'Lists all addresses that lead elsewhere; with the header Accept: text/csv as a file.',
  query: AliasesQuery,
  responses: LISTED,
  run: async (context) => (wantsCsv(context) ? csvResponse(context) : ok(await aliasesJson(context, null))),
});

/** Largest body, in bytes: some 100,000 lines of a file. */
const BODY_LIMIT = 10 * 1024 * 1024;

/** Largest number of errors in a response. */
const MAX_CSV_ERRORS = 1000;

/** The responses to POST `@aliases` on the site. */
const ADDED = {
  201: { description: 'All are added.' },
  204: { description: 'All of the file are added.' },
  400: {
    description: 'One cannot be added; for a file `csv_errors` names the lines.',
    schema: Type.Object({
      type: Type.String(),
      message: Type.String(),
      error: Type.Optional(Type.Object({ type: Type.String(), message: Type.String() })),
      csv_errors: Type.Optional(Type.Array(CsvError)),
    }),
  },
};

/** Adds all aliases of `items`, or none. Throws BadRequest for the first item that cannot be added. */
async function addItems(
  context: RequestContext,
  sent: StaticDecode<typeof SiteItems> | undefined,
): Promise<ResultOf<typeof ADDED>> {
  if (sent === undefined) throw new BadRequest("Property 'items' is required.");
  const now = new Date();
  const bases = requests.basesOf(context, requests.headerOf(context, 'host'));
  const items = [sent].flat();
  const aliases = items.map((item): WantedAlias => {
    const path = parseAliasPath(item.path);
    if ('problem' in path) throw new BadRequest(`${sentPath(item)}: ${path.problem}`);
    const target = parseAliasTarget(item['redirect-to'], bases);
    if ('problem' in target) throw new BadRequest(`${sentPath(item)}: ${target.problem}`);
    return { ...path, target, manual: true, created: item.datetime ?? now };
  });
  const problems = await addSiteAliases(context.kernel, { site: context.site, caller: context.caller, aliases });
  const [first] = [...problems].sort(([a], [b]) => a - b);
  if (first) throw new BadRequest(`${sentPath(items[first[0]] ?? { path: null })}: ${first[1]}`);
  return { status: 201 };
}

/** Adds all aliases of a file, or none; the response names the lines with errors. */
async function addFile(context: RequestContext, file: string): Promise<ResultOf<typeof ADDED>> {
  const { aliases, errors } = parseAliasesCsv(file, requests.basesOf(context, requests.headerOf(context, 'host')));
  const problems =
    errors.length > 0
      ? new Map<number, string>()
      : await addSiteAliases(context.kernel, { site: context.site, caller: context.caller, aliases });
  const found: CsvError[] = [
    ...errors,
    ...aliases.flatMap(({ line, text }, i) => {
      const message = problems.get(i);
      return message === undefined ? [] : { line_number: line, line: text, message };
    }),
  ].sort((a, b) => a.line_number - b.line_number);
  if (found.length === 0) return noContent();
  const message = `Found ${found.length} errors in CSV file.`;
  return {
    status: 400,
    body: {
      type: 'BadRequest',
      message,
      error: { type: 'BadRequest', message },
      csv_errors: found.slice(0, MAX_CSV_ERRORS),
    },
  };
}

/** POST `@aliases` on the site: adds addresses that redirect to any content, or elsewhere. */
export const postSiteAliases = defineService({
  name: '@aliases',
  method: 'POST',
  context: 'site',
  overrides: true,
  permission: MANAGE_PORTAL_ALIASES,
  summary: 'Adds addresses that lead to content or elsewhere: all of them or, when one cannot be, none.',
  body: Type.Object(
    {
      items: Type.Optional(SiteItems),
      file: Type.Optional(
        Type.String({
          description: 'As a part of multipart/form-data: CSV with old path, new path, datetime, manual.',
          message: 'must be a text',
        }),
      ),
    },
    { examples: [{ items: [{ path: '/old-news', 'redirect-to': '/news' }] }] },
  ),
  bodyLimit: BODY_LIMIT,
  accepts: ['multipart/form-data'],
  responses: ADDED,
  run(context) {
    const { file, items } = context.body;
    return file === undefined ? addItems(context, items) : addFile(context, file);
  },
});

/** DELETE `@aliases` of the site: removes addresses wherever they redirect to. */
export const deleteSiteAliases = defineService({
  name: '@aliases',
  method: 'DELETE',
  context: 'site',
  overrides: true,
  permission: MANAGE_PORTAL_ALIASES,
  summary: 'Removes addresses that lead to any content or elsewhere.',
  body: RemoveAliasesBody,
  responses: REMOVED,
  run: (context) => removeItems(context, itemList(context.body.items), null),
});
