import { type Behavior, type FieldKinds, fieldDefinitions, type Property } from '#core';
import { slug } from '#lib/text/slug';

const NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;
const FIELDSET = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;

/** The reason why a name is invalid for fields; undefined for a valid name. */
export function fieldNameProblem(name: unknown): string | undefined {
  if (typeof name !== 'string' || !NAME.test(name))
    return 'A name begins with a letter and has up to 64 letters without marks, digits and _. Give one as id.';
  return fieldDefinitions.isReservedName(name)
    ? `"${name}" means something else in content. Give another id.`
    : undefined;
}

/** The reason why an id is invalid for fieldsets; undefined for a valid id. */
export const fieldsetIdProblem = (id: unknown): string | undefined =>
  typeof id === 'string' && FIELDSET.test(id)
    ? undefined
    : 'An id begins with a letter and has up to 64 letters without marks, digits, "_", "-" and ".". Give one as id.';

/** The name that follows from a title (plone.restapi, T06): `Author email` gives `author_email`. */
export const nameFromTitle = (title: string): string => slug(title, 64).replaceAll('-', '_');

/**
 * The reason why a field with a name cannot have its kind: the server uses fields of behaviors by their names, on any type. Undefined for a valid
 * kind.
 */
export function kindProblem(
  name: string,
  property: Property,
  { kinds, behaviors }: { kinds: FieldKinds; behaviors: ReadonlyMap<string, Behavior> },
): string | undefined {
  const expected = kinds.ofFieldName(name)?.factories[0].name;
  const namesakes: Pick<Property, 'factory' | 'widget'>[] = [
    ...(expected === undefined ? [] : [{ factory: expected }]),
    ...[...behaviors.values()].flatMap(({ properties = {} }) =>
      Object.hasOwn(properties, name) ? (properties[name] ?? []) : [],
    ),
  ];
  const [first] = namesakes;
  return first === undefined || namesakes.some((namesake) => kinds.agree(namesake, property))
    ? undefined
    : `A field "${name}" is of the kind "${first.factory}" wherever there is one. Give another id.`;
}
