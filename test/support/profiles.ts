import { KINDS } from '../../src/core/configuration/site/site.ts';
import { loadConfiguration, writeConfiguration } from '../../src/core/configuration/statements/configuration.ts';
import type { Kernel } from '../../src/core/kernel/kernel.ts';

/** A profile of the program that tests run with. */
export type TestedProfile = 'default' | 'plone';

/** The profile of test sites that ask for none: `TEST_PROFILE`, `default` unless set. */
export function testedProfile(): TestedProfile {
  const name = process.env.TEST_PROFILE ?? 'default';
  if (name !== 'default' && name !== 'plone') throw new Error(`TEST_PROFILE takes default or plone; got ${name}`);
  return name;
}

/** Name of the type for pages in the profile of this run. Both profiles accept `Page` when content is created. */
export const PAGE = testedProfile() === 'plone' ? 'Document' : 'Page';

/** Name of the type of the site root in the profile of this run. */
export const SITE = testedProfile() === 'plone' ? 'Plone Site' : 'Site';

/** The id of the first working copy of an object in the profile of this run, and of the next one while that is there. */
export const workingCopyIds = (id: string): [string, string] =>
  testedProfile() === 'plone'
    ? [`working_copy_of_${id}`, `working_copy_of_${id}-1`]
    : [`copy_of_${id}`, `copy2_of_${id}`];

/** Has folders and collections added anywhere, which new sites of the profile `plone` leave to those who switch it on. */
export async function offerFolders({ db }: Pick<Kernel, 'db'>): Promise<void> {
  await db.transaction(async (tx) => {
    const { rows } = await loadConfiguration(tx);
    const types = rows.filter(({ kind, id }) => kind === KINDS.type && (id === 'Folder' || id === 'Collection'));
    await writeConfiguration(
      tx,
      types.map((row) => ({ ...row, data: Object.assign({}, row.data, { global_allow: true }) })),
    );
  });
}
