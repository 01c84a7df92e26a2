import { BadRequest } from '../../lib/errors.ts';
import { sourceBases } from '../../services/copy/relocation.ts';
import { defineService, noContent, type RequestContext, type ServiceResponse } from '../../services/service.ts';
import { addSiteAliases, MANAGE_PORTAL_ALIASES, type WantedAlias } from './alias-add.ts';
import { SiteAliasesBody } from './alias-bodies.ts';
import { type CsvError, readAliasesCsv } from './alias-csv.ts';
import { givenPath, readCreated, readItems } from './alias-items.ts';
import { readAliasPath, readAliasTarget } from './alias-path.ts';

/** Largest body, in bytes: some 100,000 lines of a file. */
const BODY_LIMIT = 10 * 1024 * 1024;

/** Errors of a file that are told at once. */
const MAX_ERRORS = 1000;

/** Adds what `items` names: all of it, or nothing. Throws BadRequest for the first item that cannot be. */
async function addItems(context: RequestContext): Promise<ServiceResponse> {
  const now = new Date();
  const bases = sourceBases(context);
  const items = readItems(context.body);
  const aliases = items.map((item): WantedAlias => {
    const path = readAliasPath(item.path);
    if ('problem' in path) throw new BadRequest(`${givenPath(item)}: ${path.problem}`);
    const target = readAliasTarget(item['redirect-to'], bases);
    if ('problem' in target) throw new BadRequest(`${givenPath(item)}: ${target.problem}`);
    return { ...path, target, manual: true, created: readCreated(item, now) };
  });
  const problems = await addSiteAliases(context.kernel, { caller: context.caller, aliases });
  const [first] = [...problems].sort(([a], [b]) => a - b);
  if (first) throw new BadRequest(`${givenPath(items[first[0]] ?? {})}: ${first[1]}`);
  return { status: 201 };
}

/** Adds what a file names: all of it, or nothing, and says which lines are wrong. */
async function addFile(context: RequestContext, file: string): Promise<ServiceResponse> {
  const { aliases, errors } = readAliasesCsv(file, sourceBases(context));
  const problems =
    errors.length > 0
      ? new Map<number, string>()
      : await addSiteAliases(context.kernel, { caller: context.caller, aliases });
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
      csv_errors: found.slice(0, MAX_ERRORS),
    },
  };
}

/** POST `@aliases` on the site: addresses lead to any content, or elsewhere. */
export const postSiteAliases = defineService({
  name: '@aliases',
  method: 'POST',
  context: 'site',
  permission: MANAGE_PORTAL_ALIASES,
  summary: 'Adds addresses that lead to content or elsewhere: all of them or, when one cannot be, none.',
  body: SiteAliasesBody,
  bodyLimit: BODY_LIMIT,
  accepts: ['multipart/form-data'],
  responses: {
    201: { description: 'All are added.' },
    204: { description: 'All of the file are added.' },
    400: { description: 'One cannot be added; for a file `csv_errors` names the lines.' },
  },
  run: (context) => (typeof context.body.file === 'string' ? addFile(context, context.body.file) : addItems(context)),
});
