import { isDeepStrictEqual } from 'node:util';
import { type FieldProblem, ValidationFailed } from '../lib/errors.ts';
import type { Kernel } from '../site/kernel.ts';
import type { Site } from '../site/site.ts';
import type { Property, TypeDefinition } from '../types/definition.ts';
import { FieldError, NO_REFERENCES } from '../types/field-kind.ts';

/**
 * Throws ValidationFailed when a default that is new is no term of the vocabulary of its field: what terms there are is known
 * only of the site with the type in it.
 */
export function requireTermDefaults(
  { fieldKinds }: Pick<Kernel, 'fieldKinds'>,
  { before = {}, next, built }: { before?: Record<string, Property> | undefined; next: TypeDefinition; built: Site },
): void {
  const problems: FieldProblem[] = [];
  for (const [name, property] of Object.entries(next.properties ?? {})) {
    const known = Object.hasOwn(before, name) ? before[name] : undefined;
    const field = built.types.get(next.id)?.fieldByName.get(name);
    if (property.default === undefined || !field?.terms || isDeepStrictEqual(known, property)) continue;
    try {
      fieldKinds.of(field).deserialize(property.default, field, NO_REFERENCES);
    } catch (error) {
      if (!(error instanceof FieldError)) throw error;
      problems.push({ field: `${name}.default`, message: error.message });
    }
  }
  if (problems.length > 0) throw new ValidationFailed(problems);
}
