import {
  type Caller,
  type ContentObject,
  callers,
  fieldValues,
  has,
  type Kernel,
  locate,
  locateForWrite,
  locks,
  MODIFY,
  publishing,
  type Queryable,
  type ResolvedNode,
  type Site,
  type Transaction,
} from '#core';
import { ClientError } from '#lib/errors';
import type { PatternRequest } from './replace-pattern.ts';
import { type ReplaceOptions, replacedValues } from './replace-values.ts';
import { replaceCandidates } from './statements.ts';
import { type TextReplacer, withReplacer } from './text-replacer.ts';

export type ReplaceRequest = PatternRequest & {
  caller: Caller;
  /** Path of the object that is searched with everything below it. */
  path: string;
  urls: boolean;
  /** True to report the changes without making them. */
  dryRun: boolean;
  /** Path after which to continue (`next` of the last call); empty for the first call. */
  after: string;
  /** Maximum number of objects that this call changes. */
  limit: number;
  bases: readonly string[];
};

/** A changed object with the title it had before, and the names of the changed fields. */
type ReplaceChange = { title: string; path: string; fields: string[] };

export type ReplaceReport = {
  changes: ReplaceChange[];
  /** Matching objects that could not be changed. */
  skipped: { title: string; path: string; reason: string }[];
  /** Path after which to continue; undefined when everything has been searched. */
  next: string | undefined;
};

/** Number of objects that one statement loads, and maximum number that one call examines. */
const BATCH = 100;
const MAX_EXAMINED = 20_000;
/** Maximum duration of one call, which then returns the place to continue. */
const MAX_TIME_MS = 20_000;

/** A text that the stored values of every matching object contain literally; undefined when no such text is known. */
const literalOf = ({ pattern, ignoreCase }: PatternRequest): string | undefined =>
  !ignoreCase && /^[a-z\d ]+$/i.test(pattern) ? pattern : undefined;

/** The parts of a request that concern one object. */
type ObjectRequest = Pick<ReplaceRequest, 'caller' | 'dryRun' | 'pattern' | 'replacement' | 'bases'>;

type Outcome = { fields: string[] } | { reason: string };

/**
 * The values of a resolved object after the replacement, parsed as if a client had sent them. Throws ValidationFailed.
 */
async function checkedValues(
  kernel: Kernel,
  db: Queryable,
  {
    site,
    resolved,
    request,
    options,
  }: { site: Site; resolved: ResolvedNode; request: ObjectRequest; options: ReplaceOptions },
): Promise<Record<string, unknown>> {
  const { object } = resolved;
  const input = replacedValues(kernel, site, object, options);
  const type = site.types.get(object.type);
  if (!type || Object.keys(input).length === 0) return {};
  const { caller, bases } = request;
  return fieldValues.parse(kernel, db, { site, resolved, caller, type }, { input, bases, sanitize: options.sanitize });
}

/** Changes the present state of one object, within its transaction. Returns no fields for an object that the caller may not modify. */
export async function replaceIn(
  kernel: Kernel,
  tx: Transaction,
  path: string,
  request: ObjectRequest,
  options: ReplaceOptions,
): Promise<Outcome> {
  const { caller, dryRun, pattern, replacement } = request;
  const { site, resolved } = dryRun ? await locate(kernel, path, tx) : await locateForWrite(kernel, path, tx, 'change');
  if (!resolved || !has(site, caller, resolved, MODIFY)) return { fields: [] };
  const values = await checkedValues(kernel, tx, { site, resolved, request, options });
  if (Object.keys(values).length === 0) return { fields: [] };
  if (locks.active(resolved.object)) return { reason: 'Locked' };
  if (dryRun) return { fields: Object.keys(values) };
  const note = `Replaced text from "${pattern.slice(0, 200)}" to "${replacement.slice(0, 200)}".`;
  return { fields: await fieldValues.replace(kernel, tx, { site, object: resolved.object, caller, values, note }) };
}

/** The texts of an object in which a pattern is searched. */
function searchedTexts(kernel: Kernel, site: Site, object: ContentObject, urls: boolean): Set<string> {
  const texts = new Set<string>();
  const collect = (text: string): string => {
    texts.add(text);
    return text;
  };
  replacedValues(kernel, site, object, { replace: collect, urls });
  return texts;
}

/**
 * Replaces the pattern in the texts of an object before the transaction, because it takes long. Returns the prepared replacement of its values;
 * undefined without a match. Throws the errors of the replacer.
 */
export async function replacementFor(
  kernel: Kernel,
  { site, object }: { site: Site; object: ContentObject },
  urls: boolean,
  replacer: TextReplacer,
): Promise<ReplaceOptions | undefined> {
  const replace = await replacer.replaced(searchedTexts(kernel, site, object, urls));
  const options: ReplaceOptions = { replace, urls };
  const input = replacedValues(kernel, site, object, options);
  const type = site.types.get(object.type);
  if (!type || Object.keys(input).length === 0) return undefined;
  return { ...options, sanitize: await fieldValues.prepareHtml(kernel, type, input) };
}

/** Tries one candidate. Most have no match and need no transaction. For a rejected change it returns the reason to skip the object. */
async function attempt(
  kernel: Kernel,
  { site, object }: { site: Site; object: ContentObject },
  request: ReplaceRequest,
  replacer: TextReplacer,
): Promise<Outcome> {
  try {
    const options = await replacementFor(kernel, { site, object }, request.urls, replacer);
    if (!options) return { fields: [] };
    return await kernel.db.transaction((tx) => replaceIn(kernel, tx, object.path, request, options));
  } catch (error) {
    if (error instanceof ClientError) return { reason: error.message };
    throw error;
  }
}

/**
 * Replaces a pattern in the texts of all content at or below a path that the caller may modify: each object in its own transaction, with validation,
 * events and a version like other changes. Objects that are locked or would become invalid are skipped.
 * @throws BadRequest for a pattern that cannot be used, TooManyRequests while others replace
 */
export const replaceContent = (kernel: Kernel, request: ReplaceRequest): Promise<ReplaceReport> =>
  withReplacer(request, (replacer) => replaceWith(kernel, request, replacer));

async function replaceWith(kernel: Kernel, request: ReplaceRequest, replacer: TextReplacer): Promise<ReplaceReport> {
  const site = await kernel.sites.current();
  const report: ReplaceReport = { changes: [], skipped: [], next: undefined };
  const deadline = performance.now() + MAX_TIME_MS;
  let { after } = request;
  for (let examined = 0; examined < MAX_EXAMINED; examined += BATCH) {
    const { path, caller } = request;
    const scope = {
      path,
      after,
      ...publishing.viewersOf(site, callers.at(caller, path)),
      literal: literalOf(request),
      limit: BATCH,
    };
    const batch = await replaceCandidates(kernel.db, scope);
    for (const object of batch) {
      if (report.changes.length + report.skipped.length >= request.limit || performance.now() > deadline)
        return { ...report, next: after };
      after = object.path;
      const outcome = await attempt(kernel, { site, object }, request, replacer);
      const { title } = object;
      if ('reason' in outcome) report.skipped.push({ title, path: object.path, reason: outcome.reason });
      else if (outcome.fields.length > 0) report.changes.push({ title, path: object.path, fields: outcome.fields });
    }
    if (batch.length < BATCH) return report;
  }
  return { ...report, next: after };
}
