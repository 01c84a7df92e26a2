import { joinColumns } from '../../content/column-values.ts';
import { locate, locateForWrite } from '../../content/locate.ts';
import { activeLock } from '../../content/locking.ts';
import { has } from '../../content/permissions.ts';
import { linksIn, readValues } from '../../content/read-values.ts';
import { resolverFor } from '../../content/reference-resolver.ts';
import { replaceStored } from '../../content/replace-stored.ts';
import { ClientError } from '../../lib/errors.ts';
import type { Caller } from '../../security/caller.ts';
import { MODIFY } from '../../security/permissions.ts';
import type { Kernel } from '../../site/kernel.ts';
import type { Site } from '../../site/site.ts';
import type { ContentObject, ResolvedNode } from '../../storage/content-row.ts';
import type { Queryable, Transaction } from '../../storage/database.ts';
import { type PatternRequest, replacePattern } from './replace-pattern.ts';
import { type ReplaceOptions, replacedValues } from './replace-values.ts';
import { replaceCandidates } from './statements.ts';

export type ReplaceRequest = PatternRequest & {
  caller: Caller;
  /** Where it begins: this object and everything below it. */
  path: string;
  urls: boolean;
  /** Tells what would change, and changes nothing. */
  dryRun: boolean;
  /** Path behind which the last call has to be continued; empty for the first. */
  after: string;
  /** Most objects that are changed in this call. */
  limit: number;
  bases: readonly string[];
};

/** One object that was changed, as it was called before, and the fields that have another value now. */
type ReplaceChange = { title: string; path: string; fields: string[] };

export type ReplaceReport = {
  changes: ReplaceChange[];
  /** Objects that have the pattern and stay as they are. */
  skipped: { title: string; path: string; reason: string }[];
  /** Path to continue behind; undefined when everything has been looked at. */
  next: string | undefined;
};

/** Objects that are read with one statement, and looked at in one call. */
const BATCH = 100;
const MAX_EXAMINED = 20_000;
/** Milliseconds after which a call ends where it is, to be continued. */
const MAX_TIME = 20_000;

/** The text that every object with a match has in its stored values as it stands; undefined when there is no telling. */
const literalOf = ({ pattern, ignoreCase }: PatternRequest): string | undefined =>
  !ignoreCase && /^[a-z\d ]+$/i.test(pattern) ? pattern : undefined;

/** The values of a located object after the replacement, read as if a client had sent them. Throws ValidationFailed. */
async function checkedValues(
  kernel: Kernel,
  db: Queryable,
  {
    site,
    resolved,
    request,
    options,
  }: { site: Site; resolved: ResolvedNode; request: ReplaceRequest; options: ReplaceOptions },
): Promise<Record<string, unknown>> {
  const { object } = resolved;
  const input = replacedValues(kernel, site, object, options);
  const type = site.types.get(object.type);
  if (!type || Object.keys(input).length === 0) return {};
  const resolver = await resolverFor(db, linksIn(kernel.fieldKinds, type, input), request.bases);
  const mayWrite = (permission: string) => has(site, request.caller, resolved, permission);
  return readValues(kernel.fieldKinds, { type, input, current: joinColumns(object), resolver, mayWrite });
}

type Outcome = { fields: string[] } | { reason: string };

/** Changes one object, as it is now, in a transaction of its own. No field for what the caller may not modify. */
async function replaceIn(
  kernel: Kernel,
  tx: Transaction,
  path: string,
  request: ReplaceRequest,
  options: ReplaceOptions,
): Promise<Outcome> {
  const { caller, dryRun, pattern, replacement } = request;
  const { site, resolved } = dryRun ? await locate(kernel, path, tx) : await locateForWrite(kernel, path, tx, 'change');
  if (!resolved || !has(site, caller, resolved, MODIFY)) return { fields: [] };
  const values = await checkedValues(kernel, tx, { site, resolved, request, options });
  if (Object.keys(values).length === 0) return { fields: [] };
  if (activeLock(resolved.object)) return { reason: 'Locked' };
  if (dryRun) return { fields: Object.keys(values) };
  const note = `Replaced text from "${pattern.slice(0, 200)}" to "${replacement.slice(0, 200)}".`;
  return { fields: await replaceStored(kernel, tx, { site, object: resolved.object, caller, values, note }) };
}

/** What becomes of a candidate. Most have no match: they need no transaction. A refusal is a reason to skip it. */
async function attempt(
  kernel: Kernel,
  { site, object }: { site: Site; object: ContentObject },
  request: ReplaceRequest,
  options: ReplaceOptions,
): Promise<Outcome> {
  try {
    if (Object.keys(replacedValues(kernel, site, object, options)).length === 0) return { fields: [] };
    return await kernel.db.transaction((tx) => replaceIn(kernel, tx, object.path, request, options));
  } catch (error) {
    if (error instanceof ClientError) return { reason: error.message };
    throw error;
  }
}

/**
 * Replaces a pattern in the texts of all content at or below a path that the caller may modify: each object in a
 * transaction of its own, with validation, events and a version like any change. Locked content and what would no
 * longer be valid is skipped. Throws BadRequest for a pattern that cannot be used.
 */
export async function replaceContent(kernel: Kernel, request: ReplaceRequest): Promise<ReplaceReport> {
  const options: ReplaceOptions = { replace: replacePattern(request), urls: request.urls };
  const site = await kernel.sites.current();
  const report: ReplaceReport = { changes: [], skipped: [], next: undefined };
  const deadline = performance.now() + MAX_TIME;
  let { after } = request;
  for (let examined = 0; examined < MAX_EXAMINED; examined += BATCH) {
    const { path, caller } = request;
    const scope = { path, after, principals: caller.principals, literal: literalOf(request), limit: BATCH };
    const batch = await replaceCandidates(kernel.db, scope);
    for (const object of batch) {
      if (report.changes.length + report.skipped.length >= request.limit || performance.now() > deadline)
        return { ...report, next: after };
      after = object.path;
      const outcome = await attempt(kernel, { site, object }, request, options);
      const { title } = object;
      if ('reason' in outcome) report.skipped.push({ title, path: object.path, reason: outcome.reason });
      else if (outcome.fields.length > 0) report.changes.push({ title, path: object.path, fields: outcome.fields });
    }
    if (batch.length < BATCH) return report;
  }
  return { ...report, next: after };
}
