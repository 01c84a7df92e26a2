import type { Behavior, Property } from '../../types/definition.ts';
import type { FieldKind } from '../../types/field-kind.ts';
import type { FieldKinds } from '../../types/field-kinds.ts';

/** Names that the server knows beside those of behaviors, with the kinds that it takes them for. */
const KNOWN: Readonly<Record<string, string>> = { file: 'File', remoteUrl: 'URL' };

/** What decides of what kind a field is. */
export type KindMark = Pick<Property, 'factory' | 'widget'>;

/** The kind of values of a field. */
export const kindOf = (kinds: FieldKinds, name: string, { factory, widget }: KindMark): FieldKind =>
  kinds.of({ name, title: name, type: '', required: false, factory, ...(widget !== undefined && { widget }) });

/**
 * Why a field of a name cannot be of its kind: the server reads what behaviors bring by its name, whichever type has it.
 * Undefined when it can.
 */
export function kindProblem(
  name: string,
  property: Property,
  { kinds, behaviors }: { kinds: FieldKinds; behaviors: ReadonlyMap<string, Behavior> },
): string | undefined {
  const known = Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined;
  const namesakes: KindMark[] = [
    ...(known === undefined ? [] : [{ factory: known }]),
    ...[...behaviors.values()].flatMap(({ properties = {} }) =>
      Object.hasOwn(properties, name) ? (properties[name] ?? []) : [],
    ),
  ];
  const own = kindOf(kinds, name, property);
  const [first] = namesakes;
  return first === undefined || namesakes.some((one) => kindOf(kinds, name, one) === own)
    ? undefined
    : `A field "${name}" is of the kind "${first.factory}" wherever there is one. Give another id.`;
}
