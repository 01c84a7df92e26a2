import type { Transaction } from '../../database/database.ts';
import { isJsonObject } from '../../lib/json-object.ts';
import { GROUP, RULE } from '../configuration/profiles/profile-schema.ts';
import { typeWith } from '../configuration/site/check-configuration.ts';
import { KINDS, type Site } from '../configuration/site/site.ts';
import { type TypeUse, typesInUse } from '../content/statements/type-use.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { isRemoved, keep, type Piece } from './merge-pieces.ts';
import { type Freed, useOfPiece } from './piece-use.ts';
import { tableOf } from './profile-tables.ts';

/** The numbers of groups and content rules that have a role now, but not after the change. */
function freed(pieces: readonly Piece[], role: string): Freed {
  const has = (data: unknown, key: string): boolean =>
    isJsonObject(data) && JSON.stringify(data[key] ?? null).includes(JSON.stringify(role));
  const count = (kind: string, key: string): number =>
    pieces.filter(({ row, present, merged }) => row.kind === kind && has(present?.data, key) && !has(merged.value, key))
      .length;
  return { groups: count(GROUP, 'roles'), rules: count(RULE, 'conditions') };
}

/** The number of objects of a type, and how many of them are in the recycle bin. */
const wordsOf = ({ content, recycled }: TypeUse): string =>
  recycled === 0 ? String(content) : `${content + recycled}, ${recycled} of them in the recycle bin`;

/**
 * Keeps pieces that would be removed but are in use: types with content, behaviors and workflows of types, groups with members, roles that are given,
 * vocabularies that fields choose from. `site` is the site after the change. Returns true if a piece is kept.
 */
export async function keepUsed(
  kernel: Kernel,
  tx: Transaction,
  pieces: readonly Piece[],
  site: Site,
): Promise<boolean> {
  const removed = pieces.filter(isRemoved);
  const ids = (kind: string) => removed.filter(({ row }) => row.kind === kind).map(({ row }) => row.id);
  const types = ids(KINDS.type);
  const used = new Map(types.length === 0 ? [] : (await typesInUse(tx, types)).map((use) => [use.type, wordsOf(use)]));
  for (const piece of removed) {
    const { kind, id } = piece.row;
    const use = kind === KINDS.type ? used.get(id) : undefined;
    if (use !== undefined) keep(piece, `it stays, because there is content of this type: ${use}`);
  }
  for (const kind of new Set(removed.map(({ row }) => row.kind))) {
    const uses = await tableOf(kernel, { kind })?.uses(tx, ids(kind));
    for (const piece of removed) {
      const use = piece.row.kind === kind ? uses?.get(piece.row.id) : undefined;
      if (use !== undefined) keep(piece, `it stays, because ${use}`);
    }
  }
  const goes = (type: string) =>
    removed.some((piece) => piece.row.kind === KINDS.type && piece.row.id === type && isRemoved(piece));
  for (const piece of removed) {
    const type = typeWith(site, piece.row, goes);
    if (type !== undefined) keep(piece, `it stays, because the content type "${type}" has it`);
  }
  for (const piece of removed) {
    const use = isRemoved(piece) ? await useOfPiece(tx, site, piece.row, freed(pieces, piece.row.id)) : undefined;
    if (use !== undefined) keep(piece, `it stays, because ${use}`);
  }
  return removed.some((piece) => !isRemoved(piece));
}
