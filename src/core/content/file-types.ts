import { BadRequest } from '../../lib/errors.ts';
import type { Site } from '../configuration/site/site.ts';
import type { Caller } from '../security/caller.ts';
import type { ResolvedNode } from '../types/content-row.ts';
import type { ContentType, Field } from '../types/content-type.ts';
import { isWritable } from '../types/field-input.ts';
import type { FieldKinds } from '../types/field-kinds.ts';
import { mayAdd } from './permissions.ts';

/** The types that files become by their media types; all others become a `File` (Plone's content type registry). */
const TYPES: readonly (readonly [beginning: string, type: string])[] = [
  ['image/', 'Image'],
  ['video/', 'Video'],
];

/** The type of new content for a file without a type: `File` if the caller may not add a more specific type. */
export function typeForFile(site: Site, caller: Caller, container: ResolvedNode, mediaType: string): string {
  const id = TYPES.find(([beginning]) => mediaType.startsWith(beginning))?.[1];
  const type = id === undefined ? undefined : site.types.get(id);
  return type && mayAdd(site, caller, container, type) ? type.id : 'File';
}

/**
 * The field for a file: the field of this name, or without a name the first field for files of the type itself. Throws BadRequest if no such field
 * exists.
 */
export function requireFileField(kinds: FieldKinds, type: ContentType, name?: string): Field {
  const holdsFile = (field: Field): boolean => kinds.of(field).holds !== undefined && isWritable(field);
  const field =
    name === undefined
      ? type.fields.find((one) => one.behavior === type.id && holdsFile(one))
      : type.fieldByName.get(name);
  if (field && holdsFile(field)) return field;
  throw new BadRequest(
    name === undefined
      ? `The type "${type.id}" has no field of its own for files. Name one of its fields.`
      : `The type "${type.id}" has no field "${name.slice(0, 100)}" for files.`,
  );
}
