import {
  configuration,
  type Kernel,
  profileTables,
  type Queryable,
  type Site,
  sitePieces,
  type Transaction,
  typesInUse,
} from '#core';
import { BadRequest } from '#lib/errors';
import type { AddonRow } from './addon.ts';

/** True if the site has something with the kind and the id of a row. */
function isPresent(site: Site, { kind, id }: AddonRow): boolean {
  const { types, behaviors, workflows, roleMap } = site;
  const isNamed = (piece: { id: string; aliases?: readonly string[] }) =>
    piece.id === id || piece.aliases?.includes(id) === true;
  if (kind === configuration.KINDS.type) return [...types.values()].some(isNamed);
  if (kind === configuration.KINDS.behavior) return [...behaviors.values()].some(isNamed);
  return kind === configuration.KINDS.workflow ? workflows.has(id) : Object.hasOwn(roleMap, id);
}

/** Throws BadRequest when the site already has something with the name of one of these rows. */
export async function requireFree(
  { kernel, tx, site }: { kernel: Kernel; tx: Transaction; site: Site },
  rows: readonly AddonRow[],
): Promise<void> {
  const [kept] = await profileTables.loadTableRows(kernel, tx, rows);
  const taken = kept ?? rows.find((row) => isPresent(site, row));
  if (taken) throw new BadRequest(`There is a ${sitePieces.nameOf(taken)} already, which the add-on would replace.`);
}

/** Throws BadRequest when one of the rows refers to something that the site does not have, even with the rows. */
export function requireComplete(site: Site, rows: readonly AddonRow[]): void {
  for (const row of rows) {
    const problem = sitePieces.missingPart(site, row);
    if (problem !== undefined) throw new BadRequest(problem);
  }
}

/** Throws BadRequest while content or another type of the site still needs one of these rows. */
export async function requireUnused(db: Queryable, site: Site, rows: readonly AddonRow[]): Promise<void> {
  const isRemoved = (kind: string, id: string | null) => rows.some((row) => row.kind === kind && row.id === id);
  const inUse = await typesInUse(
    db,
    rows.filter(({ kind }) => kind === configuration.KINDS.type).map(({ id }) => id),
  );
  if (inUse.length > 0) {
    const all = inUse.map(({ type, content, recycled }) => `${content + recycled} of the type "${type}"`).join(', ');
    throw new BadRequest(`There is content of this add-on: ${all}. Delete it first, and from the recycle bin.`);
  }
  for (const row of rows) {
    const type = sitePieces.typeWith(site, row, (id) => isRemoved(configuration.KINDS.type, id));
    if (type !== undefined)
      throw new BadRequest(`The content type "${type}" has the ${sitePieces.nameOf(row)} of this add-on.`);
  }
}
