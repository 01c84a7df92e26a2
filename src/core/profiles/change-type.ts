import type { Transaction } from '../../database/database.ts';
import { type FieldProblem, ValidationFailed } from '../../lib/errors.ts';
import type { Site } from '../configuration/site/site.ts';
import { knownPermissions } from '../configuration/site/site-permissions.ts';
import { requireUniqueType } from '../content/unique-values.ts';
import { requireTermDefaults } from '../content/values.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Caller } from '../security/caller.ts';
import type { TypeDefinition } from '../types/definition.ts';
import { hiddenLine, hiddenValues } from './keep-values.ts';
import { withRetiredFields } from './retired-fields.ts';

/** Throws ValidationFailed for permissions that nothing on the site uses, unless the field had them before. */
function requirePermissionNames(site: Site, before: TypeDefinition | undefined, next: TypeDefinition): void {
  const known = new Set(knownPermissions(site));
  const problems = Object.entries(next.properties ?? {}).flatMap(([field, property]) =>
    (['read_permission', 'write_permission'] as const).flatMap((setting): FieldProblem[] => {
      const name = property[setting];
      const isNew = name !== undefined && before?.properties?.[field]?.[setting] !== name;
      return isNew && !known.has(name)
        ? [{ field: `${field}.${setting}`, message: `There is no permission "${name}".` }]
        : [];
    }),
  );
  if (problems.length > 0) throw new ValidationFailed(problems);
}

/**
 * Checks a content type, new or changed, against its site and the existing content, in a transaction that has locked both. `stored` is the type as it
 * was, `built` the site with `next` in it. Returns the type to store, with the kinds of removed fields that have values, and a line for each field
 * whose values are no longer served. Throws ValidationFailed.
 */
export async function checkTypeChange(
  { kernel, tx, site, caller }: { kernel: Kernel; tx: Transaction; site: Site; caller: Caller },
  { stored, next, built }: { stored: TypeDefinition | undefined; next: TypeDefinition; built: Site },
): Promise<{ data: TypeDefinition; hidden: string[] }> {
  requireTermDefaults(kernel, { before: stored?.properties, next, built });
  requirePermissionNames(site, stored, next);
  await requireUniqueType(tx, { before: site, after: built, caller }, next.id);
  const data = await withRetiredFields({ kernel, tx, site }, next, built);
  return { data, hidden: (await hiddenValues(tx, site, built)).map(hiddenLine) };
}
