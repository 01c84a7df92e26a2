import { isDeepStrictEqual } from 'node:util';
import { type Caller, configuration, type Kernel, profiles, type Queryable } from '#core';
import { Conflict } from '#lib/errors';
import { isJsonObject, type JsonObject, omit } from '#lib/json-object';
import { applyPieces, type PieceChange } from '../setup/apply-pieces.ts';

/** The undo of the set-up that one part has changed: `from` of a piece is what the release has made of it, `to` what was there before. */
export type SetupUndo = { transaction: number; pieces: PieceChange[] };

const { KINDS } = configuration;

/** Bytes of the former set-up that a release keeps. What would be more is not undone. */
const MAX_SETUP_BYTES = 8 * 1024 * 1024;

/** The kinds of pieces that are undone. Workflows are not: where content was brought to other states, its former ones are stored nowhere. */
const UNDONE = new Set([KINDS.setting, KINDS.type, KINDS.vocabulary, KINDS.action]);

const FILES = new Map(Object.entries(profiles.PIECE_KINDS).map(([file, kind]) => [kind, file]));

type Rows = readonly configuration.Row[];

const byPiece = (rows: Rows) => new Map(rows.map((row) => [`${row.kind} ${row.id}`, row]));

/** The settings that differ between two versions of a row, of each version. Others of the same panel, such as secrets, are left out. */
function differing(one: unknown, other: unknown): [JsonObject, JsonObject] {
  const [from, to] = [isJsonObject(one) ? one : {}, isJsonObject(other) ? other : {}];
  const isSame = (name: string): boolean => isDeepStrictEqual(from[name], to[name]);
  return [omit(from, isSame), omit(to, isSame)];
}

/** The data of a row as a profile has it: without what a type notes of its removed fields. */
const dataOf = ({ kind, data }: configuration.Row): unknown =>
  kind === KINDS.type && isJsonObject(data) ? omit(data, (name) => name === 'retired_fields') : data;

/** The workflow of a row of a type. */
const workflowOf = (row: configuration.Row | undefined): unknown =>
  isJsonObject(row?.data) ? row.data.workflow : null;

/** The pieces by which a change of the configuration is undone; undefined for a change that cannot be, which is one of workflows. */
function undoOf(before: Rows, after: Rows): PieceChange[] | undefined {
  const [former, present] = [byPiece(before), byPiece(after)];
  const pieces: PieceChange[] = [];
  for (const key of new Set([...former.keys(), ...present.keys()])) {
    const [to, from] = [former.get(key), present.get(key)];
    const row = from ?? to;
    if (!row || isDeepStrictEqual(from?.data, to?.data)) continue;
    const { kind, id, position } = row;
    const hasOtherWorkflow = kind === KINDS.type && !isDeepStrictEqual(workflowOf(from), workflowOf(to));
    if (!UNDONE.has(kind) || hasOtherWorkflow) return undefined;
    const piece = { kind, id, position, file: FILES.get(kind) ?? kind };
    if (kind === KINDS.setting) {
      const [made, was] = differing(from?.data, to?.data);
      pieces.push({ ...piece, from: made, to: was });
    } else pieces.push({ ...piece, ...(from && { from: dataOf(from) }), ...(to && { to: dataOf(to) }) });
  }
  return pieces;
}

/** Collects how the set-up is undone that the parts of a release change. */
export class SetupNotes {
  readonly #db: Queryable;
  readonly #noted: SetupUndo[] = [];
  #bytes = 0;

  /** `db` is that of the transaction which does the parts. */
  constructor(db: Queryable) {
    this.#db = db;
  }

  /** How each part is undone, in their order, without those that cannot be. */
  get noted(): readonly SetupUndo[] {
    return this.#noted;
  }

  /** Does a part, which adds its recorded transaction to the list. */
  async around<T>(transactions: readonly number[], work: () => Promise<T>): Promise<T> {
    const [before, at] = [await configuration.load(this.#db), transactions.length];
    const result = await work();
    const pieces = undoOf(before.rows, (await configuration.load(this.#db)).rows);
    const transaction = transactions[at];
    if (pieces === undefined || pieces.length === 0 || transaction === undefined) return result;
    this.#bytes += Buffer.byteLength(JSON.stringify(pieces));
    if (this.#bytes <= MAX_SETUP_BYTES) this.#noted.push({ transaction, pieces });
    return result;
  }
}

/**
 * Gives pieces of the set-up back what they were. What others have changed in them beside the release stays. Throws Conflict where they have changed
 * the same, or where content has values of what would go; Unauthorized and Forbidden for those who may not manage the site.
 */
export async function undoSetup(kernel: Kernel, caller: Caller, pieces: readonly PieceChange[]): Promise<void> {
  const { kept } = await applyPieces(kernel, { pieces, takes: false, caller });
  if (kept > 0)
    throw new Conflict(
      'The set-up that the release has changed was changed since, or content has values of what would go. Nothing is undone.',
    );
}
