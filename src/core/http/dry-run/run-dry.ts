import { rehearse } from '../../../database/rehearse.ts';
import { inSavepoint } from '../../../database/savepoint.ts';
import { type Notes, noteIn } from '../../../database/transaction-notes.ts';
import { isJsonObject, type JsonObject } from '../../../lib/json-object.ts';
import { Slot, Slots } from '../../../lib/slots.ts';
import { NOTED_EVENTS } from '../../journal/bus.ts';
import { NOTED_ITEMS } from '../../queue/statements/items.ts';
import type { Caller } from '../../security/caller.ts';
import type { ServiceResponse } from '../../services/response.ts';
import type { RequestContext } from '../../services/service.ts';
import { contextWithin, inTime, MAX_SHARED_MS } from '../one-transaction.ts';
import { addressesOf, type ChangedTable, changedBeyond, countChangedRows } from '../statements/changed-rows.ts';
import { limitStatements } from '../statements/statement-limit.ts';
import { changesOf, type Detail, type Rehearsed, type View } from './changes.ts';
import { scratchBlobs } from './scratch-blobs.ts';
import { seenObjects } from './seen-objects.ts';

/** Rows that a rehearsal within another one has changed and undone. */
const UNDONE_ROWS = new Slot<Notes<ChangedTable>>('rows of undone rehearsals');

/** Ends the part of a transaction in which the work is done, so that its objects can be seen as they are without it. */
class Undone<T> extends Error {
  readonly result: T;
  readonly rehearsed: Omit<Rehearsed, 'before'>;

  constructor(result: T, rehearsed: Omit<Rehearsed, 'before'>) {
    super('The part of the transaction is undone');
    this.result = result;
    this.rehearsed = rehearsed;
  }
}

/** The numbers of the objects that steps are about. */
function oidsOf(notes: Slots): number[] {
  const noted = notes.find(NOTED_EVENTS)?.values ?? [];
  const oids = noted.flatMap((one) => ('step' in one && one.step.content !== null ? [one.step.content] : []));
  return [...new Set(oids)];
}

const viewOf = async (context: RequestContext, oids: readonly number[]): Promise<View> => ({
  objects: await seenObjects(context, oids),
  addresses: await addressesOf(context.db, oids),
});

/** Does the work and undoes it. Returns its result with the notes about it, and with its objects as `reader` sees them. */
async function doAndUndo<T>(
  context: RequestContext,
  tx: Parameters<typeof contextWithin>[1],
  { work, reader }: { work: (shared: RequestContext) => Promise<T>; reader: Caller },
): Promise<{ result: T; rehearsed: Omit<Rehearsed, 'before'> }> {
  const notes = new Slots();
  try {
    return await inSavepoint(tx, async (part): Promise<never> => {
      const shared = contextWithin(context, part, notes);
      const counted = await countChangedRows(part);
      const result = await inTime(work(shared), MAX_SHARED_MS);
      const undone = notes.find(UNDONE_ROWS)?.values ?? [];
      const tables = changedBeyond([...counted, ...undone], await countChangedRows(part));
      throw new Undone(result, { notes, tables, after: await viewOf({ ...shared, caller: reader }, oidsOf(notes)) });
    });
  } catch (error) {
    if (error instanceof Undone) return error;
    throw error;
  }
}

/** The number of changes that are not in the report. */
const moreOf = (notes: Slots): number => (notes.find(NOTED_EVENTS)?.more ?? 0) + (notes.find(NOTED_ITEMS)?.more ?? 0);

/** The result of work that was done and undone, every change that it made, and the number of changes that are not reported. */
export type Rehearsal<T> = { result: T; changes: JsonObject[]; more: number };

/**
 * Does work in a transaction, or a part of the present one, that is rolled back, and reports its changes to `reader`, who is the caller
 * unless given. Throws what the work throws.
 */
export async function rehearseWork<T>(
  context: RequestContext,
  work: (shared: RequestContext) => Promise<T>,
  { reader = context.caller, detail = 'whole' }: { reader?: Caller; detail?: Detail } = {},
): Promise<Rehearsal<T>> {
  const { db } = context.kernel;
  const { rows, ...rehearsal } = await rehearse(db, async (tx) => {
    await limitStatements(db, tx, MAX_SHARED_MS);
    const { result, rehearsed } = await doAndUndo(context, tx, { work, reader });
    const reading = { ...contextWithin(context, tx), caller: reader };
    const before = await viewOf(reading, oidsOf(rehearsed.notes));
    const changes = changesOf(reading, { ...rehearsed, before }, detail);
    return { result, changes, more: moreOf(rehearsed.notes), rows: rehearsed.tables };
  });
  noteIn(db, UNDONE_ROWS, () => rows);
  return rehearsal;
}

/** As `rehearseWork`, for work with a blob store of its own: the files that the work stores are removed as well. */
export async function rehearseWithFiles<T>(
  context: RequestContext,
  work: (shared: RequestContext) => Promise<T>,
  options: Parameters<typeof rehearseWork>[2] = {},
): Promise<Rehearsal<T>> {
  const { blobs, close } = scratchBlobs(context.kernel.blobs);
  try {
    return await rehearseWork({ ...context, kernel: { ...context.kernel, blobs } }, work, options);
  } finally {
    await close();
  }
}

/** The response of a dry run: the response of the write, with `dry_run` and `changes`. */
function reported(
  { status, headers = {}, body, contentType, text }: ServiceResponse,
  changes: JsonObject[],
  more: number,
) {
  const { Location: _location, ...others } = headers;
  const whole = isJsonObject(body) ? body : body === undefined && text === undefined ? {} : { result: body ?? text };
  return {
    status: status === 204 ? 200 : status,
    headers: others,
    ...(text === undefined && contentType !== undefined ? { contentType } : {}),
    body: { ...whole, dry_run: true, changes, ...(more > 0 ? { more_changes: more } : {}) },
  };
}

/**
 * Does the work of a write in a transaction that is rolled back. Returns the response that it would have had, with every change. Throws
 * what the write throws.
 */
export async function runDry(
  context: RequestContext,
  work: (shared: RequestContext) => Promise<ServiceResponse>,
): Promise<{ response: ServiceResponse; report: ServiceResponse }> {
  const { result: response, changes, more } = await rehearseWork(context, work);
  response.stream?.destroy();
  return { response, report: reported(response, changes, more) };
}
