import { rehearse } from '../../../database/rehearse.ts';
import { inSavepoint } from '../../../database/savepoint.ts';
import { isJsonObject, type JsonObject } from '../../../lib/json-object.ts';
import { Slots } from '../../../lib/slots.ts';
import { NOTED_EVENTS } from '../../journal/bus.ts';
import { NOTED_ITEMS } from '../../queue/statements/items.ts';
import type { ServiceResponse } from '../../services/response.ts';
import type { RequestContext } from '../../services/service.ts';
import { contextWithin, inTime, MAX_SHARED_MS } from '../one-transaction.ts';
import { addressesOf, changedTables } from '../statements/changed-rows.ts';
import { limitStatements } from '../statements/statement-limit.ts';
import { changesOf, type Rehearsed, type View } from './changes.ts';
import { seenObjects } from './seen-objects.ts';

/** Objects whose differences are reported; of more there are words alone. */
const MAX_OBJECTS = 100;

/** Ends the part of a transaction in which the write is done, so that its objects can be seen as they are without it. */
class Undone extends Error {
  readonly response: ServiceResponse;
  readonly rehearsed: Omit<Rehearsed, 'before'>;

  constructor(response: ServiceResponse, rehearsed: Omit<Rehearsed, 'before'>) {
    super('The part of the transaction is undone');
    this.response = response;
    this.rehearsed = rehearsed;
  }
}

/** The numbers of the objects that steps are about. */
function oidsOf(notes: Slots): number[] {
  const noted = notes.find(NOTED_EVENTS)?.values ?? [];
  const oids = noted.flatMap((one) => ('step' in one && one.step.content !== null ? [one.step.content] : []));
  return [...new Set(oids)].slice(0, MAX_OBJECTS);
}

const viewOf = async (context: RequestContext, oids: readonly number[]): Promise<View> => ({
  objects: await seenObjects(context, oids),
  addresses: await addressesOf(context.db, oids),
});

/** Does the write and undoes it. Returns its response with the notes about it. */
async function doAndUndo(
  context: RequestContext,
  tx: Parameters<typeof contextWithin>[1],
  work: (shared: RequestContext) => Promise<ServiceResponse>,
): Promise<Undone> {
  const notes = new Slots();
  try {
    return await inSavepoint(tx, async (part) => {
      const shared = contextWithin(context, part, notes);
      const response = await inTime(work(shared), MAX_SHARED_MS);
      const tables = await changedTables(part);
      throw new Undone(response, { notes, tables, after: await viewOf(shared, oidsOf(notes)) });
    });
  } catch (error) {
    if (error instanceof Undone) return error;
    throw error;
  }
}

/** The number of changes that are not in the report. */
const moreOf = (notes: Slots): number => (notes.find(NOTED_EVENTS)?.more ?? 0) + (notes.find(NOTED_ITEMS)?.more ?? 0);

/** The response of a write that was not done: that of the write, with `dry_run` and `changes`. */
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
  return rehearse(context.kernel.db, async (tx) => {
    await limitStatements(context.kernel.db, tx, MAX_SHARED_MS);
    const { response, rehearsed } = await doAndUndo(context, tx, work);
    response.stream?.destroy();
    const before = await viewOf(contextWithin(context, tx), oidsOf(rehearsed.notes));
    const changes = changesOf(context, { ...rehearsed, before });
    return { response, report: reported(response, changes, moreOf(rehearsed.notes)) };
  });
}
