import { BadRequest } from '../../lib/errors.ts';
import type { AddonRow } from '../../site/addon.ts';
import { KINDS, type Site } from '../../site/site.ts';
import type { Queryable } from '../../storage/database.ts';
import { typesInUse } from '../../storage/statements/type-use.ts';
import type { ContentType } from '../../types/content-type.ts';
import type { WorkflowDefinition } from '../../workflow/workflow.ts';

const NOUNS: Record<string, string> = {
  [KINDS.type]: 'content type',
  [KINDS.behavior]: 'behavior',
  [KINDS.workflow]: 'workflow',
  [KINDS.permission]: 'permission',
};

const nameOf = ({ kind, id }: AddonRow): string => `${NOUNS[kind] ?? kind} "${id}"`;

/** Whether the site has something with the kind and the id of a row. */
function isPresent(site: Site, { kind, id }: AddonRow): boolean {
  const { types, workflows, roleMap } = site;
  if (kind === KINDS.type) return [...types.values()].some((type) => type.id === id || type.aliases?.includes(id));
  if (kind === KINDS.behavior) return behaviorIds(site).has(id);
  return kind === KINDS.workflow ? workflows.has(id) : Object.hasOwn(roleMap, id);
}

/** Throws BadRequest when the site already has something with the name of one of these rows. */
export function requireFree(site: Site, rows: readonly AddonRow[]): void {
  const taken = rows.find((row) => isPresent(site, row));
  if (taken) throw new BadRequest(`There is a ${nameOf(taken)} already, which the add-on would replace.`);
}

/** The ids of behaviors by all their names. */
const behaviorIds = ({ behaviors }: Site): Map<string, string> =>
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

/** Throws BadRequest when one of the rows refers to something that the site does not have, even with the rows. */
export function requireComplete(site: Site, rows: readonly AddonRow[]): void {
  for (const row of rows) {
    const type = row.kind === KINDS.type ? site.types.get(row.id) : undefined;
    const workflow = row.kind === KINDS.workflow ? site.workflows.get(row.id) : undefined;
    const problem =
      (type && typeProblem(site, type)) ??
      (workflow && workflowProblem(site, workflow)) ??
      (row.kind === KINDS.permission ? permissionProblem(site, row.id) : undefined);
    if (problem !== undefined) throw new BadRequest(`The ${nameOf(row)} ${problem}, which this site does not have.`);
  }
}

/** Throws BadRequest while content or another type of the site still needs one of these rows. */
export async function requireUnused(db: Queryable, site: Site, rows: readonly AddonRow[]): Promise<void> {
  const isRemoved = (kind: string, id: string | null) => rows.some((row) => row.kind === kind && row.id === id);
  const inUse = await typesInUse(
    db,
    rows.filter(({ kind }) => kind === KINDS.type).map(({ id }) => id),
  );
  if (inUse.length > 0) {
    const all = inUse.map(({ type, content, recycled }) => `${content + recycled} of the type "${type}"`).join(', ');
    throw new BadRequest(`There is content of this add-on: ${all}. Delete it first, and from the recycle bin.`);
  }
  const removed = new Set(
    [...site.behaviors.values()]
      .map(({ id, aliases = [] }) => [id, ...aliases])
      .filter((names) => names.some((name) => isRemoved(KINDS.behavior, name)))
      .flat(),
  );
  for (const { id, behaviors, workflow } of site.types.values()) {
    if (isRemoved(KINDS.type, id)) continue;
    const behavior = behaviors.find((name) => removed.has(name));
    if (behavior !== undefined)
      throw new BadRequest(`The content type "${id}" has the behavior "${behavior}" of this add-on.`);
    if (isRemoved(KINDS.workflow, workflow))
      throw new BadRequest(`The content type "${id}" has the workflow "${workflow}" of this add-on.`);
  }
}
