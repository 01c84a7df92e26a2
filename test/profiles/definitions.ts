import { formProblems } from '../../src/core/configuration/profiles/profile-schema.ts';
import { resolveType } from '../../src/core/types/content-type.ts';
import type { Behavior, TypeDefinition } from '../../src/core/types/definition.ts';
import { folderOf, type Json, objectOf, type Profile } from './load-profile.ts';

/** Treats data as T when the server finds no problem with the form of its kind. */
const isOf = <T>(kind: string, data: unknown): data is T => formProblems(kind, data).length === 0;

/** The definitions of one kind, by id. */
export function definitions<T extends { id: string }>(profile: Profile, folder: string): Map<string, T> {
  const found = new Map<string, T>();
  for (const [file, data] of folderOf(profile, folder)) {
    if (!isOf<T>(folder.slice(0, -1), data)) throw new Error(`${folder}/${file} has another form`);
    found.set(data.id, data);
  }
  return found;
}

/** Behaviors by id and by alias. */
export function behaviorsOf(profile: Profile): Map<string, Behavior> {
  const behaviors = definitions<Behavior>(profile, 'behaviors');
  return new Map(
    [...behaviors.values()].flatMap((behavior) =>
      [behavior.id, ...(behavior.aliases ?? [])].map((name) => [name, behavior]),
    ),
  );
}

/** The types of a profile with their behaviors merged in, as the server merges them. */
export const typesOf = (profile: Profile) => {
  const behaviors = behaviorsOf(profile);
  return [...definitions<TypeDefinition>(profile, 'types').values()].map((definition) =>
    resolveType(definition, behaviors),
  );
};

/** The entries of a file that holds a list. */
export const list = (profile: Profile, name: string): Record<string, Json>[] => {
  const data = profile.files.get(name);
  return Array.isArray(data) ? data.map((item) => objectOf(item, name)) : [];
};
/** Ids of the entries of a file that holds a list. */
export const idsOf = (profile: Profile, name: string) => list(profile, name).map((item) => String(item.id));
/** Permissions and the roles that have them. */
export const permissionsOf = (profile: Profile) => objectOf(profile.files.get('permissions.json'), 'permissions.json');
