import type { Transaction } from '../../database/database.ts';
import { ValidationFailed } from '../../lib/errors.ts';
import type { Site } from '../configuration/site/site.ts';
import { typeUse } from '../content/statements/type-use.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { TypeDefinition } from '../types/definition.ts';
import type { KindMark } from '../types/field-kinds.ts';

/** A type in its stored form, with the kinds of its removed fields of which content may still have values. */
export type StoredType = TypeDefinition & { retired_fields?: Record<string, KindMark> };

const markOf = ({ factory, widget }: KindMark): KindMark => ({ factory, ...(widget !== undefined && { widget }) });

/**
 * The type with the kinds of its removed fields, from the type before the change (`site`) and after it (`built`). Values of a removed field stay, and
 * are served when the field comes back; with another kind they would be unchecked. Throws ValidationFailed for a field that comes back with another
 * kind while content exists.
 */
export async function withRetiredFields(
  { kernel, tx, site }: { kernel: Kernel; tx: Transaction; site: Site },
  next: StoredType,
  built: Site,
): Promise<StoredType> {
  const { retired_fields: known = {}, ...plain } = next;
  const { fields: before = [] } = site.types.get(next.id) ?? {};
  const after = built.types.get(next.id)?.fieldByName ?? new Map();
  const retired = new Map(Object.entries(known));
  for (const field of before) if (!after.has(field.name)) retired.set(field.name, markOf(field));
  if (retired.size === 0) return plain;
  const { content, recycled } = await typeUse(tx, next.id);
  if (content + recycled === 0) return plain;
  const problems = [...retired].flatMap(([name, mark]) => {
    const field = after.get(name);
    if (!field) return [];
    retired.delete(name);
    return kernel.fieldKinds.agree(field, mark)
      ? []
      : [
          {
            field: name,
            message: `Content of this type may still have values of "${name}" as "${mark.factory}". Give another id.`,
          },
        ];
  });
  if (problems.length > 0) throw new ValidationFailed(problems);
  return retired.size === 0 ? plain : { ...plain, retired_fields: Object.fromEntries(retired) };
}
