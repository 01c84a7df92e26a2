import { isDeepStrictEqual } from 'node:util';
import type { ContentType } from '../../types/content-type.ts';
import { definitionProblem } from '../../types/field-definition/definition-problem.ts';
import { vocabularyName } from '../../types/vocabularies/vocabulary-definition.ts';
import { RULE } from '../profiles/profile-schema.ts';
import type { WorkflowDefinition } from '../workflow/workflow.ts';
import { KINDS, type Site } from './site.ts';

type Piece = { kind: string; id: string };

const NOUNS: Record<string, string> = {
  [KINDS.type]: 'content type',
  [KINDS.behavior]: 'behavior',
  [KINDS.workflow]: 'workflow',
  [KINDS.permission]: 'permission',
  [KINDS.vocabulary]: 'vocabulary',
  [KINDS.role]: 'role',
  [KINDS.index]: 'index',
  [KINDS.column]: 'column',
  [KINDS.loginProvider]: 'login provider',
  [RULE]: 'content rule',
};

/** The name of a piece of configuration for people: `content type "Page"`. */
export const pieceName = ({ kind, id }: Piece): string => `${NOUNS[kind] ?? kind} "${id}"`;

/** The ids of behaviors by all their names. */
export const behaviorIds = ({ behaviors }: Pick<Site, 'behaviors'>): Map<string, string> =>
  new Map([...behaviors.values()].flatMap(({ id, aliases = [] }) => [id, ...aliases].map((name) => [name, id])));

function typeProblem(
  site: Site,
  { behaviors, workflow, allowed_content_types: allowed }: ContentType,
): string | undefined {
  const known = behaviorIds(site);
  const behavior = behaviors.find((name) => !known.has(name));
  if (behavior !== undefined) return `names the behavior "${behavior}"`;
  if (workflow !== null && !site.workflows.has(workflow)) return `names the workflow "${workflow}"`;
  const type = allowed.find((name) => !site.types.has(name));
  return type === undefined ? undefined : `names the content type "${type}"`;
}

function workflowProblem(
  { registries: { guardConditions } }: Site,
  { initial_state: first, states, transitions }: WorkflowDefinition,
): string | undefined {
  const condition = Object.values(transitions)
    .flatMap(({ guard }) => guard?.conditions ?? [])
    .find((name) => !guardConditions.has(name));
  if (condition !== undefined) return `names the condition "${condition}"`;
  const targets = [first, ...Object.values(transitions).map((transition) => transition.new_state)];
  const state = targets.find((name) => !Object.hasOwn(states, name));
  if (state !== undefined) return `names the state "${state}"`;
  const transition = Object.values(states)
    .flatMap((one) => one.transitions)
    .find((name) => !Object.hasOwn(transitions, name));
  return transition === undefined ? undefined : `names the transition "${transition}"`;
}

function permissionProblem({ roles, roleMap }: Site, permission: string): string | undefined {
  const role = roleMap[permission]?.find((name) => !roles.some(({ id }) => id === name));
  return role === undefined ? undefined : `names the role "${role}"`;
}

function providerProblem({ roles, loginProviders }: Site, provider: string): string | undefined {
  const given = Object.values(loginProviders.get(provider)?.roles ?? {});
  const role = given.find((name) => !roles.some(({ id }) => id === name));
  return role === undefined ? undefined : `names the role "${role}"`;
}

const schemaOf = ({ types, behaviors }: Site, { kind, id }: Piece) =>
  kind === KINDS.type ? types.get(id) : kind === KINDS.behavior ? behaviors.get(id) : undefined;

/** A field of a type or behavior with an impossible definition, as a sentence for people; undefined for none. */
function fieldsProblem(site: Site, piece: Piece, before: Site | undefined): string | undefined {
  const known = (before && schemaOf(before, piece)?.properties) ?? {};
  for (const [name, property] of Object.entries(schemaOf(site, piece)?.properties ?? {})) {
    if (isDeepStrictEqual(known[name], property)) continue;
    const problem = definitionProblem(site.registries.fieldKinds, name, property);
    if (problem !== undefined) return `The field "${name}" of the ${pieceName(piece)} cannot be: ${problem}`;
  }
  return undefined;
}

/**
 * Returns, as a sentence for people, the problem of a piece of the site that names a missing part or has an impossible one; undefined for a complete
 * piece. Fields that were the same `before` are not checked, so that a value stored by an older version does not prevent other changes.
 */
export function missingPart(site: Site, piece: Piece, before?: Site): string | undefined {
  const type = piece.kind === KINDS.type ? site.types.get(piece.id) : undefined;
  const workflow = piece.kind === KINDS.workflow ? site.workflows.get(piece.id) : undefined;
  const problem =
    (type && typeProblem(site, type)) ??
    (workflow && workflowProblem(site, workflow)) ??
    (piece.kind === KINDS.permission ? permissionProblem(site, piece.id) : undefined) ??
    (piece.kind === KINDS.loginProvider ? providerProblem(site, piece.id) : undefined);
  if (problem === undefined) return fieldsProblem(site, piece, before);
  return `The ${pieceName(piece)} ${problem}, which this site does not have.`;
}

/**
 * A missing vocabulary that a field of a type or behavior chooses from since a change, as a sentence for people; undefined for none. Vocabularies
 * that were missing before are allowed: they may be from a removed add-on.
 */
export function unknownVocabulary(before: Site, site: Site, piece: Piece): string | undefined {
  const known = schemaOf(before, piece)?.properties ?? {};
  for (const [field, property] of Object.entries(schemaOf(site, piece)?.properties ?? {})) {
    const name = vocabularyName(property);
    if (name === undefined || site.registries.vocabularies.find(site, name)) continue;
    if (known[field] && vocabularyName(known[field]) === name) continue;
    return `The field "${field}" of the ${pieceName(piece)} chooses from the vocabulary "${name}", which this site does not have.`;
  }
  return undefined;
}

/** Returns a type of the site, not in `without`, that has a behavior or a workflow; undefined for none, and for other pieces. */
export function typeWith(site: Site, { kind, id }: Piece, without: (type: string) => boolean): string | undefined {
  if (kind !== KINDS.behavior && kind !== KINDS.workflow) return undefined;
  // A site may use another name of the behavior.
  const names = new Set(
    [...site.behaviors.values()].map((one) => [one.id, ...(one.aliases ?? [])]).find((all) => all.includes(id)) ?? [id],
  );
  const has = ({ behaviors, workflow }: ContentType) =>
    kind === KINDS.workflow ? workflow === id : behaviors.some((name) => names.has(name));
  return [...site.types.values()].find((type) => !without(type.id) && has(type))?.id;
}
