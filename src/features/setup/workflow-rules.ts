import { callers, configuration, type Queryable, type Site, sitePieces, VIEW, type WorkflowDefinition } from '#core';
import type { FieldProblem } from '#lib/errors';
import { knownPrincipals } from '../people/statements/principals.ts';
import { lockedOut } from './permission-rules.ts';

const MAX_PARTS = 100;
const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const NO_ID = 'An id has up to 100 letters, digits, ".", "_" and "-" and begins with a letter or digit.';

type Report = (field: string, message: string) => void;

/** The message for an unknown state. */
export const noState = (name: string): string => `There is no state "${name}".`;

/** True if data has the form of a workflow, as in a profile. */
export const isWorkflow = (data: unknown): data is WorkflowDefinition =>
  sitePieces.formProblems(configuration.KINDS.workflow, data).length === 0;

/** Reports names that are not among the known ones. */
function requireKnown(
  names: readonly string[],
  known: ReadonlySet<string>,
  report: (message: string) => void,
  what: 'role' | 'permission',
): void {
  for (const name of names.filter((one) => !known.has(one)))
    report(what === 'role' ? `There is no role "${name}".` : `There is no permission "${name}".`);
}

/** The names that workflows may use on a site. */
type Names = { roles: ReadonlySet<string>; permissions: ReadonlySet<string>; groups: ReadonlySet<string> };

/** Reports problems of the states of a workflow. With `ofRoot` the site itself is in one of the states. */
function checkStates({ states, transitions }: WorkflowDefinition, names: Names, ofRoot: boolean, report: Report): void {
  for (const [id, state] of Object.entries(states)) {
    const at = `states.${id}`;
    if (!ID.test(id)) report(at, NO_ID);
    for (const name of state.transitions)
      if (!Object.hasOwn(transitions, name)) report(`${at}.transitions`, `There is no transition "${name}".`);
    requireKnown(
      Object.keys(state.permissions),
      names.permissions,
      (message) => report(`${at}.permissions`, message),
      'permission',
    );
    for (const [permission, { roles, acquire }] of Object.entries(state.permissions)) {
      const place = `${at}.permissions.${permission}`;
      requireKnown(roles, names.roles, (message) => report(place, message), 'role');
      if (permission === VIEW && roles.length === 0 && !acquire)
        report(place, 'Nobody could view content in this state any more. Name a role, or acquire the permission.');
      else if (ofRoot && !acquire && lockedOut(permission, roles))
        report(place, 'The site itself is of a type with this workflow: the role "Manager" keeps this permission.');
    }
  }
}

/** Reports problems of the transitions of a workflow. */
function checkTransitions(
  { states, transitions }: WorkflowDefinition,
  names: Names,
  { registries: { guardConditions } }: Site,
  report: Report,
): void {
  for (const [id, { new_state: target, guard }] of Object.entries(transitions)) {
    const at = `transitions.${id}`;
    if (!ID.test(id)) report(at, NO_ID);
    if (!Object.hasOwn(states, target)) report(`${at}.new_state`, noState(target));
    requireKnown(guard?.roles ?? [], names.roles, (message) => report(`${at}.guard.roles`, message), 'role');
    requireKnown(
      guard?.permissions ?? [],
      names.permissions,
      (message) => report(`${at}.guard.permissions`, message),
      'permission',
    );
    for (const name of guard?.groups ?? [])
      if (!names.groups.has(name)) report(`${at}.guard.groups`, `There is no group "${name}".`);
    for (const name of guard?.conditions ?? [])
      if (!guardConditions.has(name)) report(`${at}.guard.conditions`, `There is no condition "${name}".`);
  }
}

/**
 * The problems of a workflow on a site, each with its place: unknown keys, unknown names of roles, permissions, groups, states and
 * transitions, and states that content or Managers could not leave.
 */
export async function workflowProblems(
  tx: Queryable,
  { site, rootType }: { site: Site; rootType: string },
  workflow: unknown,
): Promise<FieldProblem[]> {
  const problems = sitePieces.formProblems(configuration.KINDS.workflow, workflow);
  if (problems.length > 0 || !isWorkflow(workflow)) return problems;
  const report: Report = (field, message) => problems.push({ field: field.slice(0, 300), message });
  const { id, states, transitions, initial_state: first } = workflow;
  if (!ID.test(id)) report('id', NO_ID);
  for (const [place, parts] of Object.entries({ states, transitions }))
    if (Object.keys(parts).length > MAX_PARTS) report(place, `There are at most ${MAX_PARTS}.`);
  if (problems.length > 0) return problems;
  if (!Object.hasOwn(states, first)) report('initial_state', noState(first));
  const groups = Object.values(transitions).flatMap(({ guard }) => guard?.groups ?? []);
  const names: Names = {
    roles: new Set(site.roles.map((role) => role.id)),
    permissions: new Set(sitePieces.knownPermissions(site)),
    groups: new Set(
      groups.length === 0
        ? []
        : [callers.AUTHENTICATED_USERS, ...(await knownPrincipals(tx, [...new Set(groups)])).groups],
    ),
  };
  checkStates(workflow, names, site.types.get(rootType)?.workflow === id, report);
  checkTransitions(workflow, names, site, report);
  return problems;
}
