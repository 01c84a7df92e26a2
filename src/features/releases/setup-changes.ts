import { isDeepStrictEqual } from 'node:util';
import { type Caller, configuration, type Kernel, profiles, type Queryable } from '#core';
import { BadRequest, Conflict } from '#lib/errors';
import { isJsonObject, type JsonObject, omit } from '#lib/json-object';
import { applyPieces, type PieceChange } from '../setup/apply-pieces.ts';
import { restoreStates } from './former-states.ts';
import { lastStep } from './statements/states.ts';

/**
 * The undo of the set-up that one part has changed: `from` of a piece is what the release has made of it, `to` what was there before. `states` is the
 * step in which content got other states. One that was too large to be kept has no pieces.
 */
export type SetupUndo = { transaction: number; pieces: PieceChange[]; states?: number; isTooLarge?: true };

const { KINDS } = configuration;

/** Bytes of the former set-up that a release keeps. A release that has changed more is not undone. */
const MAX_SETUP_BYTES = 32 * 1024 * 1024;

/** The kinds of pieces that are undone. */
const UNDONE = new Set([KINDS.setting, KINDS.type, KINDS.vocabulary, KINDS.action, KINDS.workflow]);

/** Conflicts in a response. */
const MAX_CONFLICTS = 100;

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

/** The pieces by which a change of the configuration is undone; undefined for a change that cannot be. */
function undoOf(before: Rows, after: Rows): PieceChange[] | undefined {
  const [former, present] = [byPiece(before), byPiece(after)];
  const pieces: PieceChange[] = [];
  for (const key of new Set([...former.keys(), ...present.keys()])) {
    const [to, from] = [former.get(key), present.get(key)];
    const row = from ?? to;
    if (!row || isDeepStrictEqual(from?.data, to?.data)) continue;
    const { kind, id, position } = row;
    if (!UNDONE.has(kind)) return undefined;
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
  readonly #release: string;
  readonly #noted: SetupUndo[] = [];
  #bytes = 0;

  /** `db` is that of the transaction which does the parts. */
  constructor(db: Queryable, release: string) {
    this.#db = db;
    this.#release = release;
  }

  /** How each part is undone, in their order, without those that cannot be. */
  get noted(): readonly SetupUndo[] {
    return this.#noted;
  }

  /** Does a part, which adds its recorded transaction to the list. */
  async around<T>(transactions: readonly number[], work: () => Promise<T>): Promise<T> {
    const [before, at] = [await configuration.load(this.#db), transactions.length];
    const step = await lastStep(this.#db, this.#release);
    const result = await work();
    const pieces = undoOf(before.rows, (await configuration.load(this.#db)).rows);
    const transaction = transactions[at];
    if (pieces === undefined || pieces.length === 0 || transaction === undefined) return result;
    this.#bytes += Buffer.byteLength(JSON.stringify(pieces));
    const states = await lastStep(this.#db, this.#release);
    if (this.#bytes > MAX_SETUP_BYTES) this.#noted.push({ transaction, pieces: [], isTooLarge: true });
    else this.#noted.push({ transaction, pieces, ...(states > step && { states }) });
    return result;
  }
}

/** The conflicts of a report: pieces that others have changed since, or that content needs. Values are left out, because some are secret. */
function conflictsOf({ pieces }: JsonObject): JsonObject[] {
  return (Array.isArray(pieces) ? pieces : []).filter(isJsonObject).flatMap(({ kind, id, conflicts }) =>
    (Array.isArray(conflicts) ? conflicts : []).filter(isJsonObject).map(({ key, reason }) => ({
      ...{ kind, id, key },
      message: typeof reason === 'string' ? reason : 'It was changed since.',
    })),
  );
}

/**
 * Gives pieces of the set-up back what they were, and content the states that it had with them. What others have changed in them beside the release
 * stays. Throws Conflict, with each place, where they have changed the same, or where content has values or states of what would go; BadRequest for
 * set-up that was too large to be kept; Unauthorized and Forbidden for those who may not manage the site.
 */
export async function undoSetup(
  kernel: Kernel,
  caller: Caller,
  { release, undo }: { release: string; undo: SetupUndo },
): Promise<void> {
  const { pieces, states, isTooLarge } = undo;
  if (isTooLarge)
    throw new BadRequest(
      `The release has changed more than ${MAX_SETUP_BYTES / 1024 / 1024} MiB of set-up, too much to be kept for an undo. Change the set-up back by another release.`,
    );
  const ofStates: JsonObject[] = [];
  const { kept, details } = await applyPieces(kernel, {
    ...{ pieces, takes: false, caller },
    async moveContent({ tx, before, after }) {
      const noted = { release, step: states ?? null };
      const { hasMoved, conflicts } = await restoreStates(tx, { noted, caller, before, after });
      ofStates.push(...conflicts);
      return hasMoved;
    },
  });
  if (kept === 0 && ofStates.length === 0) return;
  const conflicts = [...conflictsOf(details), ...ofStates].slice(0, MAX_CONFLICTS);
  throw new Conflict(
    'The set-up that the release has changed was changed since, or content has values or states of what would go. Nothing is undone.',
    {},
    { conflicts },
  );
}
