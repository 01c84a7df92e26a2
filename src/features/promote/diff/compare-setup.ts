import { isDeepStrictEqual } from 'node:util';
import { configuration, profileFiles } from '#core';
import { isJsonObject, type JsonObject } from '#lib/json-object';
import type { PlanPiece } from '../forms/plan.ts';
import type { SetupForm } from '../places/place.ts';

const keyOf = ({ kind, id }: { kind: string; id: string }) => `${kind} ${id}`;

const piecesOf = ({ files }: SetupForm) => new Map(profileFiles.entriesOf(files).map((entry) => [keyOf(entry), entry]));

const asObject = (data: unknown): JsonObject => (isJsonObject(data) ? data : {});

const settingsThatDiffer = (one: unknown, other: unknown): [JsonObject, JsonObject] => {
  const [from, to] = [asObject(one), asObject(other)];
  const names = Object.keys({ ...from, ...to }).filter((name) => !isDeepStrictEqual(from[name], to[name]));
  const only = (data: JsonObject): JsonObject =>
    Object.fromEntries(names.filter((name) => Object.hasOwn(data, name)).map((name) => [name, data[name]]));
  return [only(from), only(to)];
};

/**
 * The pieces of the set-up that differ, by kind and id. A kind that one of the two does not speak of, such as that of a folder without
 * its file, stays as it is.
 */
export function compareSetup(from: SetupForm, to: SetupForm, kinds: ReadonlySet<string> | undefined): PlanPiece[] {
  const [before, after] = [piecesOf(from), piecesOf(to)];
  const pieces: PlanPiece[] = [];
  for (const key of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    const [one, other] = [before.get(key), after.get(key)];
    const named = other ?? one;
    if (!named || (kinds && !kinds.has(named.kind)) || isDeepStrictEqual(one?.data, other?.data)) continue;
    const { kind, id, file, position } = named;
    const isSetting = kind === configuration.KINDS.setting;
    const [first, second] = isSetting ? settingsThatDiffer(one?.data, other?.data) : [one?.data, other?.data];
    if (isSetting && isDeepStrictEqual(first, second)) continue;
    pieces.push({
      ...{ kind, id, file, position },
      ...(one && { from: first }),
      ...(other && { to: second }),
    });
  }
  return pieces;
}

/** Returns which of the pieces a place does not have as they are wanted. Of settings only those that the pieces name are compared. */
export function missingPieces(place: SetupForm, pieces: readonly PlanPiece[]): PlanPiece[] {
  const present = piecesOf(place);
  return pieces.filter((piece) => {
    const data = present.get(keyOf(piece))?.data;
    if (piece.kind !== configuration.KINDS.setting) return !isDeepStrictEqual(data, piece.to);
    const [named, wanted] = [{ ...asObject(piece.from), ...asObject(piece.to) }, asObject(piece.to)];
    return Object.keys(named).some((name) => !isDeepStrictEqual(asObject(data)[name], wanted[name]));
  });
}
