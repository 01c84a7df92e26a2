import type { Site } from '../../site/site.ts';
import type { ContentType } from '../../types/content-type.ts';

/** Finds the type of this site that an export calls by a name of its own. */
export type TypeNames = (name: string) => ContentType | undefined;

/** A type's own id first, then the names that types of the site have elsewhere (`Document` for `Page`). */
export function typeNames(site: Site): TypeNames {
  const byAlias = new Map<string, ContentType>();
  for (const type of site.types.values()) {
    for (const alias of type.aliases ?? []) if (!byAlias.has(alias)) byAlias.set(alias, type);
  }
  return (name) => site.types.get(name) ?? byAlias.get(name);
}
