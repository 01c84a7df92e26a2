import { Type } from 'typebox';
import { type Kernel, schemas } from '#core';
import { BadRequest } from '#lib/errors';
import { CONFLICT_RULES, MAX_ENTRIES, PlanEntry, PlanPiece } from './plan.ts';

/** Pieces of the set-up in a plan. */
const MAX_PIECES = 5000;

/** The changes of the set-up, as a body has them. */
export const SetupInBody = Type.Array(PlanPiece, { default: [], maxItems: MAX_PIECES });

/** The entries of one body. */
export const EntriesInBody = Type.Array(PlanEntry, {
  default: [],
  maxItems: MAX_ENTRIES,
  message: { maxItems: `must have ${MAX_ENTRIES} entries at most` },
});

/** The files of a body by their hashes. */
export const FilesInBody = Type.Record(Type.String({ pattern: '^[0-9a-f]{64}$' }), Type.String(), {
  description: 'Files that the plan brings, in base64 by their SHA-256.',
  default: {},
});

/** The rule for conflicts, as a body has it. */
export const RuleInBody = schemas.Choice([...CONFLICT_RULES], {
  description: 'What counts where the site and the plan have changed the same.',
  default: 'stop',
});

/** Stores a file of a body, which is in base64; undefined where the body does not have it. Throws BadRequest for bytes of another hash. */
export async function receiveFile({ blobs }: Pick<Kernel, 'blobs'>, hash: string, text: string | undefined) {
  if (text === undefined) return undefined;
  const stored = await blobs.put(Buffer.from(text, 'base64'));
  if (stored.hash !== hash) throw new BadRequest(`The bytes of the file ${hash} have another hash.`);
  return stored;
}
