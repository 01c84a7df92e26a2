import { mayAdd } from '../../content/addable-types.ts';
import { has } from '../../content/permissions.ts';
import type { Vocabulary } from '../../site/vocabulary.ts';
import type { ContentType, Field } from '../../types/content-type.ts';
import { byTitle } from '../../types/vocabularies/term.ts';
import { vocabularyName } from '../../types/vocabularies/vocabulary-name.ts';
import type { RequestContext } from '../service.ts';
import { notFoundHere } from '../vocabularies/not-found-here.ts';

/**
 * The types whose fields an address may mean: the one that the query names, as forms for new content do, else that of the
 * object, and then those that the caller may add to it: the schemas of these name sources at their container.
 */
function typesMeant({ site, caller, resolved, searchParams }: RequestContext): ContentType[] {
  const named = searchParams.get('type') || undefined;
  const addable = [...site.types.values()].filter((type) => mayAdd(site, caller, resolved, type));
  const inOrder = byTitle(addable.map(({ id, title }) => ({ token: id, title }))).map(({ token }) => token);
  const ids = named === undefined ? [resolved.object.type, ...inOrder] : [named];
  return ids.flatMap((id) => site.types.get(id) ?? []);
}

/** Where the values of a field come from: its own choices, or the vocabulary that it names; undefined when they are free. */
function sourceOf({ site }: RequestContext, field: Field): Vocabulary | undefined {
  const choices = field.choices ?? field.items?.choices;
  if (choices) return { names: [field.name], terms: () => choices.map(([token, title]) => ({ token, title })) };
  const name = vocabularyName(field);
  return name === undefined ? undefined : site.registries.vocabularies.find(site, name);
}

/**
 * The source of a field of what lies here or may be added here. Throws NotFound when there is no such field, or none
 * that the caller may read, or one that takes any value.
 */
export function fieldSource(context: RequestContext, service: '@sources' | '@querysources', name: string): Vocabulary {
  const { site, caller, resolved } = context;
  for (const { fieldByName } of typesMeant(context)) {
    const field = fieldByName.get(name);
    const permission = field?.read_permission;
    if (!field || (permission !== undefined && !has(site, caller, resolved, permission))) continue;
    const source = sourceOf(context, field);
    if (source) return source;
  }
  throw notFoundHere(context, service);
}
