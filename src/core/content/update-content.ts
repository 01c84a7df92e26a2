import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from '../../database/database.ts';
import { BadRequest, MethodNotAllowed, NotFound } from '../../lib/errors.ts';
import type { SanitizeHtml } from '../../lib/text/sanitize-html.ts';
import type { Site } from '../configuration/site/site.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Caller } from '../security/caller.ts';
import { MODIFY } from '../security/permissions.ts';
import type { ContentObject } from '../types/content-row.ts';
import { parseLayout, type WriteOptions } from './create-content.ts';
import { wholeDays } from './event-times.ts';
import { isRoot, type LookupResult, locate, locateForWrite } from './locate.ts';
import { requireUnchanged, requireUnlocked } from './locking.ts';
import { MergeConflict, type MergeRequest, mergeChange, requireState } from './merge/merge-change.ts';
import { renameContent } from './move-content.ts';
import { rejectNewTags } from './new-tags.ts';
import { noteSaved, openedState } from './opened-state.ts';
import { type Ordering, orderChild, type Sort, sortChildren } from './order-children.ts';
import { parseChange } from './parse-change.ts';
import { allowsDiscussion, requirePermission } from './permissions.ts';
import { prepareFiles } from './prepare-files.ts';
import { prepareHtml } from './prepare-html.ts';
import { joinColumns } from './values.ts';
import { parseChangeNote } from './versions.ts';
import { writeAsFound } from './write-as-found.ts';
import { writeChange } from './write-change.ts';

type Values = Record<string, unknown>;

export type UpdateRequest = {
  caller: Caller;
  path: string;
  /** The subset of fields to change; also `layout` and `id`. */
  input: Record<string, unknown>;
  /** Moves a child of a container. */
  ordering?: Ordering | undefined;
  /** Puts the children of a container in another order. */
  sort?: Sort | undefined;
  bases: readonly string[];
  /** Value of the header `Lock-Token`. */
  lockToken: string | undefined;
  /** Cleans the HTML of the input, see `prepareHtml`. */
  sanitize?: SanitizeHtml | undefined;
  /** The time of its last change, for writes that reject other changes since then. */
  expected?: Date | undefined;
  /** The base state of the change: changes by others since then are merged with the change. */
  merge?: MergeRequest | undefined;
};

/** The values that really change: values that equal neither the stored nor the served ones. */
function changedValues(values: Values, current: Values, served: Values): Values {
  const differs = (name: string, from: Values) => !isDeepStrictEqual(values[name] ?? null, from[name] ?? null);
  const names = Object.keys(values).filter(
    (name) => differs(name, current) && differs(name, { ...current, ...served }),
  );
  return Object.fromEntries(names.map((name) => [name, values[name]]));
}

/** Values that GET shows for unset fields. Clients send them back with the other values, which is no change. */
const servedForUnset = (site: Site, { type, fields }: ContentObject): Values => ({
  ...(typeof fields.allow_discussion === 'boolean'
    ? {}
    : { allow_discussion: allowsDiscussion(site, { type, fields }) }),
  ...(typeof fields.description === 'string' ? {} : { description: '' }),
});

/**
 * Changes only what the request names, in one transaction with its events; returns the path, which a rename changes. A value equal to the present one
 * is no change: then `modified` stays.
 */
export async function updateContent(
  kernel: Kernel,
  request: UpdateRequest,
  { tx: around, before, also }: WriteOptions = {},
): Promise<string> {
  if (around) return updateWithin(kernel, around, request, { note: parseChangeNote(request.input) });
  const { caller, path, input } = request;
  const lookup = before ?? (await locate(kernel, path));
  const { site, resolved } = lookup;
  if (!resolved) throw new NotFound(path);
  requirePermission(site, caller, resolved, MODIFY);
  const note = parseChangeNote(input);
  const earlyType = site.types.get(resolved.object.type);
  const prepared = earlyType ? await prepareFiles(kernel, earlyType, input) : input;
  const sanitize = earlyType ? await prepareHtml(kernel, earlyType, prepared) : undefined;
  return writeAsFound(kernel.db, lookup, async (tx, found) => {
    const newPath = await updateWithin(kernel, tx, { ...request, input: prepared, sanitize }, { note, before: found });
    await also?.(tx, newPath);
    return newPath;
  });
}

/** The message of a conflict for users of a form that names no base: the form stays open, with their text. */
const OF_A_FORM =
  'Others have changed the same since you opened this. Nothing was saved: copy what you have written, load the page again, and put it in.';

/** Does a merge; a conflict gets the message `words`, if given. */
function inWords<T>(words: string | undefined, merge: () => T): T {
  try {
    return merge();
  } catch (error) {
    if (error instanceof MergeConflict && words !== undefined) error.message = words;
    throw error;
  }
}

/** Changes an object in a transaction. The files of the input are prepared. */
async function updateWithin(
  kernel: Kernel,
  tx: Transaction,
  { caller, path, input, ordering, sort, bases, lockToken, expected, merge: asked, sanitize }: UpdateRequest,
  { note, before }: { note: string; before?: LookupResult | undefined },
): Promise<string> {
  const { site, resolved } = await locateForWrite(kernel, path, tx, 'change', before);
  if (!resolved) throw new NotFound(path);
  requirePermission(site, caller, resolved, MODIFY);
  const { object } = resolved;
  requireUnchanged(object, expected);
  requireUnlocked(object, lockToken);
  const type = site.types.get(object.type);
  if (!type) throw new BadRequest(`The site no longer has the type "${object.type}": this object cannot be edited.`);
  const merge = asked ?? (await openedState(tx, { site, caller, resolved, token: lockToken }));
  const current = joinColumns(object);
  const from = merge ? await requireState(tx, { site, caller, resolved, base: merge.base }) : resolved;
  const parsed = await parseChange(kernel, tx, { site, resolved: from, caller, type }, { input, bases, sanitize });
  await rejectNewTags(tx, { site, caller, resolved }, parsed, current);
  const started = from === resolved ? current : joinColumns(from.object);
  const given = { ...parsed, ...wholeDays(site, type, { changed: parsed, current: started }) };
  const changed = changedValues(given, started, servedForUnset(site, from.object));
  const keepsLayout = input.layout === undefined || input.layout === (from.object.layout ?? type.layouts[0]);
  const newLayout = keepsLayout ? undefined : parseLayout(type, input.layout);
  const change = { values: changed, layout: newLayout };
  const { values, layout } =
    merge && from !== resolved
      ? inWords(asked ? undefined : OF_A_FORM, () =>
          mergeChange(kernel, { site, type, base: from, present: resolved, change, prefer: merge.prefer }),
        )
      : change;
  const { ancestors } = resolved;
  const modified = await writeChange(kernel, tx, { site, object, ancestors, caller, values, layout, note });
  if (!merge) await noteSaved(tx, { resolved, token: lockToken, modified });
  if (ordering || sort) {
    if (!type.folderish) throw new BadRequest('Content ordering is not supported by this resource.');
    const ordered = ordering ? await orderChild(tx, object.oid, ordering) : [];
    const sorted = sort ? await sortChildren(tx, object.oid, sort) : [];
    const moves = ordered && [...ordered, ...sorted];
    await kernel.events.emit('content.reordered', { parent: object.oid, moves }, { tx, caller });
  }
  if (input.id === undefined || input.id === object.name) return path;
  if (isRoot(object)) throw new MethodNotAllowed('The site root cannot be renamed.', ['GET', 'PATCH', 'POST']);
  return renameContent(kernel, tx, { caller, site, resolved, name: input.id });
}
