import { createHash } from 'node:crypto';

/** A migration in the list of the database. `checksum` is the SHA-256 of its text, with line ends as `\n`. */
export type AppliedMigration = { id: number; name: string; checksum: string };

/** The name of the first of the fifty migrations before the first release, which 0001_first_release replaces. */
const FIRST_NAME = 'foundation';

/** SHA-256 of the list of all fifty migrations, with a line `id name checksum` for each. */
const ALL_CHECKSUM = 'fbb428696819f01375f01cb238845251314d0742b851ef497c94f36dd960237b';

/** Says if exactly the migrations before the first release were applied; they make the schema of the first release. */
export function isWholeDraft(applied: readonly AppliedMigration[]): boolean {
  if (applied[0]?.name !== FIRST_NAME) return false;
  const list = applied.map(({ id, name, checksum }) => `${id} ${name} ${checksum}\n`).join('');
  return createHash('sha256').update(list).digest('hex') === ALL_CHECKSUM;
}

/** Says if some migrations before the first release were applied, but not exactly all of them. */
export const isUnfinishedDraft = (applied: readonly AppliedMigration[]): boolean =>
  applied[0]?.name === FIRST_NAME && !isWholeDraft(applied);
