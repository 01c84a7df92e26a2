import { type Caller, configuration, type Kernel, type Site, sitePieces, type WorkflowDefinition } from '#core';
import { BadRequest, NotFound, ValidationFailed } from '#lib/errors';
import { isJsonObject, type JsonObject } from '#lib/json-object';
import { changeSetup, nextPosition, rowWith, type SetupChange, type SetupRows } from './change-setup.ts';
import { addonWith } from './check-data.ts';
import { applyStates, planStates, type StateMapping, type WorkflowChoice } from './remap-states.ts';
import { isWorkflow, workflowProblems } from './workflow-rules.ts';

const MAX_WORKFLOWS = 100;

/** The message for an unknown workflow. */
const noWorkflow = (id: string): string => `There is no workflow "${id.slice(0, 100)}".`;

/** Returns the workflow with an id. Throws NotFound. */
export function requireWorkflow({ workflows }: Site, id: string): WorkflowDefinition {
  const workflow = workflows.get(id);
  if (!workflow) throw new NotFound(`/@workflows/${id}`);
  return workflow;
}

/** The types of a site that have a workflow. */
export const typesWith = ({ types }: Site, workflow: string): string[] =>
  [...types.values()].filter((type) => type.workflow === workflow).map(({ id }) => id);

/** Checks a sent workflow. Throws ValidationFailed with every problem. */
async function checked({ tx, site, root }: SetupChange, data: JsonObject): Promise<WorkflowDefinition> {
  const problems = await workflowProblems(tx, { site, rootType: root.object.type }, data);
  if (problems.length > 0 || !isWorkflow(data)) throw new ValidationFailed(problems);
  return data;
}

/** Makes a workflow, perhaps as a copy of another one with changes. Throws BadRequest, ValidationFailed, NotFound. */
export const createWorkflow = (
  kernel: Kernel,
  caller: Caller,
  { copy_of: original, ...data }: JsonObject & { copy_of?: string },
): Promise<void> =>
  changeSetup(kernel, { caller }, async (change) => {
    const { site } = change;
    const copied = original === undefined ? undefined : site.workflows.get(original);
    if (original !== undefined && !copied)
      throw new ValidationFailed([{ field: 'copy_of', message: noWorkflow(original) }]);
    const workflow = await checked(change, copied ? merged({ ...copied }, data) : data);
    if (site.workflows.has(workflow.id))
      throw new ValidationFailed([{ field: 'id', message: `There is a workflow "${workflow.id}" already.` }]);
    if (site.workflows.size >= MAX_WORKFLOWS) throw new BadRequest(`A site has at most ${MAX_WORKFLOWS} workflows.`);
    const { id } = workflow;
    return {
      write: [
        {
          kind: configuration.KINDS.workflow,
          id,
          position: nextPosition(change, configuration.KINDS.workflow),
          data: workflow,
        },
      ],
    };
  });

/** An object after a change of some of its keys: objects are merged key by key, null removes a key, other values are replaced (RFC 7396). */
function merged(value: JsonObject, patch: JsonObject): JsonObject {
  const entries = new Map(Object.entries(value));
  for (const [key, change] of Object.entries(patch)) {
    const present = entries.get(key);
    if (change === null) entries.delete(key);
    else entries.set(key, isJsonObject(change) ? merged(isJsonObject(present) ? present : {}, change) : change);
  }
  return Object.fromEntries(entries);
}

/** The rows of a change of workflows, with the moves of content in its transaction. Throws ValidationFailed. */
async function withContent(
  change: SetupChange,
  write: SetupRows['write'],
  choices: readonly WorkflowChoice[],
): Promise<SetupRows> {
  const { moves, problems } = await planStates(change.tx, change.site, choices);
  if (problems.length > 0) throw new ValidationFailed(problems);
  return {
    ...(write && { write }),
    afterwards: () => applyStates(change, moves),
    movesContent: moves.some(({ from, to }) => from !== to),
  };
}

/** Changes a workflow. Content in a removed state is moved to the state in `mapping`. Throws NotFound, ValidationFailed. */
export const changeWorkflow = (
  kernel: Kernel,
  caller: Caller,
  { id, patch, mapping }: { id: string; patch: JsonObject; mapping: StateMapping },
): Promise<void> =>
  changeSetup(kernel, { caller }, async (change) => {
    const { site } = change;
    const present = requireWorkflow(site, id);
    if (patch.id !== undefined && patch.id !== id)
      throw new ValidationFailed([{ field: 'id', message: 'The id of a workflow stays.' }]);
    const workflow = await checked(change, merged({ ...present }, patch));
    const unused = Object.keys(mapping).find((state) => Object.hasOwn(workflow.states, state) || state === '');
    if (unused !== undefined)
      throw new ValidationFailed([
        { field: `state_mapping.${unused}`, message: 'Only states that go can be replaced by others here.' },
      ]);
    const choices = typesWith(site, id).map((type) => ({ type, workflow, mapping }));
    return withContent(change, [rowWith(change, { kind: configuration.KINDS.workflow, id }, workflow)], choices);
  });

/** Removes a workflow that no type has. Throws NotFound, BadRequest. */
export const removeWorkflow = (kernel: Kernel, caller: Caller, id: string): Promise<void> =>
  changeSetup(kernel, { caller }, ({ site }) => {
    requireWorkflow(site, id);
    const piece = { kind: configuration.KINDS.workflow, id };
    const type = sitePieces.typeWith(site, piece, () => false);
    if (type !== undefined)
      throw new BadRequest(`The content type "${type}" has the workflow "${id}". Give it another one first.`);
    const addon = addonWith(site, piece.kind, id);
    if (addon !== undefined)
      throw new BadRequest(`The workflow "${id}" belongs to the add-on "${addon}" and goes with it.`);
    return { remove: [piece] };
  });

/** The new workflow of a type, by ids; null for none. */
export type Assignment = { type: string; workflow: string | null; mapping: StateMapping };

/** Gives types other workflows, and moves their content to states of these workflows. Throws ValidationFailed with the type of each problem. */
export const assignWorkflows = (kernel: Kernel, caller: Caller, assignments: readonly Assignment[]): Promise<void> =>
  changeSetup(kernel, { caller }, async (change) => {
    const { site, tx, rows, root } = change;
    const problems: { field: string; message: string }[] = [];
    const choices: WorkflowChoice[] = [];
    for (const { type, workflow: id, mapping } of assignments) {
      const workflow = id === null ? null : site.workflows.get(id);
      if (!site.types.has(type)) problems.push({ field: type, message: `There is no content type "${type}".` });
      else if (workflow === undefined) problems.push({ field: `${type}.workflow`, message: noWorkflow(id ?? '') });
      else {
        const choice = { type, workflow, mapping };
        const found = await planStates(tx, site, [choice]);
        const ofRoot = type === root.object.type && workflow ? await rootProblems(change, workflow) : [];
        for (const { field, message } of [...found.problems, ...ofRoot])
          problems.push({ field: `${type}.${field}`, message });
        choices.push(choice);
      }
    }
    if (problems.length > 0) throw new ValidationFailed(problems);
    const write = choices.map(({ type: id, workflow }) => {
      const piece = { kind: configuration.KINDS.type, id };
      const row = rows.find((one) => one.kind === piece.kind && one.id === id);
      return rowWith(change, piece, { ...(isJsonObject(row?.data) ? row.data : {}), workflow: workflow?.id ?? null });
    });
    return withContent(change, write, choices);
  });

/** The problems of a workflow for the type of the site itself. */
async function rootProblems({ tx, site, root }: SetupChange, workflow: WorkflowDefinition) {
  const own = site.types.get(root.object.type);
  if (!own) return [];
  const types = new Map([...site.types, [own.id, { ...own, workflow: workflow.id }]]);
  return workflowProblems(tx, { site: { ...site, types }, rootType: own.id }, workflow);
}
