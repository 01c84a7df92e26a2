import { Type } from 'typebox';
import {
  created,
  defineService,
  MANAGE_PORTAL,
  noContent,
  ok,
  pieceUse,
  type Service,
  type Site,
  schemas,
  type WorkflowDefinition,
} from '#core';
import { isJsonObject } from '#lib/json-object';
import {
  type Assignment,
  assignWorkflows,
  changeWorkflow,
  createWorkflow,
  removeWorkflow,
  requireWorkflow,
  typesWith,
} from './change-workflows.ts';
import { withoutShown } from './check-data.ts';

const LISTED = {
  '@id': Type.String({ format: 'uri' }),
  '@type': Type.Literal('workflow'),
  id: Type.String(),
  title: Type.String(),
  description: Type.String(),
  initial_state: Type.String(),
  types: Type.Array(Type.String(), { description: 'Content types that have it.' }),
};
const Names = Type.Array(Type.String());
const State = Type.Object({
  title: Type.String(),
  description: Type.Optional(Type.String()),
  transitions: Names,
  permissions: Type.Record(Type.String(), Type.Object({ roles: Names, acquire: Type.Boolean() })),
});
const Transition = Type.Object({
  title: Type.String(),
  description: Type.Optional(Type.String()),
  new_state: Type.String(),
  guard: Type.Optional(
    Type.Object({
      permissions: Type.Optional(Names),
      roles: Type.Optional(Names),
      groups: Type.Optional(Names),
      conditions: Type.Optional(Names),
    }),
  ),
});
const WorkflowSchema = Type.Object({
  ...LISTED,
  states: Type.Record(Type.String(), State, { description: 'By id: title, transitions, and roles by permission.' }),
  transitions: Type.Record(Type.String(), Transition, {
    description: 'By id: title, the state that it leads to, and who may make it.',
  }),
});

const workflowUrl = (base: string, id: string): string => `${base}/@workflows/${encodeURIComponent(id)}`;

const listedJson = (
  base: string,
  site: Site,
  { id, title, description = '', initial_state: first }: WorkflowDefinition,
) => ({
  '@id': workflowUrl(base, id),
  '@type': 'workflow' as const,
  ...{ id, title, description, initial_state: first, types: typesWith(site, id) },
});

const workflowJson = (base: string, site: Site, workflow: WorkflowDefinition) => ({
  ...listedJson(base, site, workflow),
  states: workflow.states,
  transitions: workflow.transitions,
});

/** GET `@workflows`: the workflows. Titles are not translated, because clients send them back. */
const getWorkflows = defineService({
  name: '@workflows',
  method: 'GET',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Lists the workflows with the content types that have them.',
  responses: { 200: { description: 'The workflows.', schema: Type.Array(Type.Object(LISTED)) } },
  run: async ({ lookup: { site }, base }) =>
    ok([...site.workflows.values()].map((workflow) => listedJson(base, site, workflow))),
});

/** GET `@workflows/<workflow>`: a workflow with its states and transitions. */
const getWorkflow = defineService({
  name: '@workflows',
  method: 'GET',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'A workflow with its states and transitions.',
  rest: ['{workflow}'],
  responses: {
    200: { description: 'The workflow.', schema: WorkflowSchema },
    404: { description: 'There is no such workflow.' },
  },
  run: async ({ lookup: { site }, base, params }) =>
    ok(workflowJson(base, site, requireWorkflow(site, params.workflow))),
});

/** POST `@workflows`: makes a workflow. */
const postWorkflow = defineService({
  name: '@workflows',
  method: 'POST',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Makes a workflow, of its own or as a copy of another one with changes.',
  body: schemas.OpenObject(
    {
      id: Type.String({ description: 'Its id, which stays.' }),
      copy_of: Type.Optional(
        Type.String({ description: 'A workflow that it begins as; the rest of the body changes it.' }),
      ),
    },
    { examples: [{ id: 'news_workflow', title: 'News', copy_of: 'simple_publication_workflow' }] },
  ),
  responses: {
    201: {
      description: 'The workflow.',
      schema: WorkflowSchema,
      headers: { Location: { description: 'Its address.' } },
    },
    400: { description: 'A problem for each place: what has another form, and names that nothing has.' },
  },
  async run({ kernel, caller, base, body }) {
    await createWorkflow(kernel, caller, {
      ...withoutShown(body, ['types']),
      id: body.id,
      ...(body.copy_of !== undefined && { copy_of: body.copy_of }),
    });
    const site = await kernel.sites.current();
    const json = workflowJson(base, site, requireWorkflow(site, body.id));
    return created(json, { Location: workflowUrl(base, body.id) });
  },
});

const Mapping = Type.Record(Type.String(), Type.String(), {
  description: 'For states that the workflow does not have: the state that takes its place for content.',
  message: 'Must be an object of ids of states.',
});

/** PATCH `@workflows/<workflow>`: changes a workflow. */
const patchWorkflow = defineService({
  name: '@workflows',
  method: 'PATCH',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary:
    'Changes what is sent of a workflow; null takes a state, a transition or a permission away. Content follows.',
  rest: ['{workflow}'],
  body: schemas.OpenObject(
    { state_mapping: Type.Optional(Mapping) },
    { examples: [{ states: { pending: null }, transitions: { submit: null }, state_mapping: { pending: 'private' } }] },
  ),
  responses: {
    204: { description: 'Changed.' },
    400: { description: 'A problem for each place, or content is in a state that goes.' },
    404: { description: 'There is no such workflow.' },
  },
  async run({ kernel, caller, params: { workflow: id }, body: { state_mapping: mapping = {}, ...patch } }) {
    await changeWorkflow(kernel, caller, { id, patch: withoutShown(patch, ['types']), mapping });
    return noContent();
  },
});

/** DELETE `@workflows/<workflow>`: removes a workflow. */
const deleteWorkflow = defineService({
  name: '@workflows',
  method: 'DELETE',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Removes a workflow that no content type has.',
  rest: ['{workflow}'],
  responses: {
    204: { description: 'Removed.' },
    400: { description: 'A content type has it, or it belongs to an add-on.' },
    404: { description: 'There is no such workflow.' },
  },
  async run({ kernel, caller, params }) {
    await removeWorkflow(kernel, caller, params.workflow);
    return noContent();
  },
});

/** GET `@workflow-types`: the workflows of types. */
const getWorkflowTypes = defineService({
  name: '@workflow-types',
  method: 'GET',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'The workflow of each content type, and how much content is in which state.',
  responses: {
    200: {
      description: 'By content type.',
      schema: Type.Record(
        Type.String(),
        Type.Object({
          workflow: schemas.Nullable(Type.String()),
          states: Type.Record(Type.String(), Type.Integer(), {
            description: 'Objects by state, with those in the recycle bin; "" for those without one.',
          }),
        }),
      ),
    },
  },
  async run({ lookup: { site }, db }) {
    const used = await pieceUse.statesInUse(db, [...site.types.keys()]);
    const statesOf = (id: string) =>
      Object.fromEntries(used.filter(({ type }) => type === id).map(({ state, count }) => [state ?? '', count]));
    return ok(
      Object.fromEntries([...site.types.values()].map(({ id, workflow }) => [id, { workflow, states: statesOf(id) }])),
    );
  },
});

const Choice = Type.Object(
  {
    workflow: schemas.Nullable(Type.String(), {
      message: {
        required: 'Name a workflow, or null for none.',
        other: 'Must be the id of a workflow, or null for none.',
      },
    }),
    state_mapping: Type.Optional(Mapping),
  },
  { additionalProperties: false },
);

/** PATCH `@workflow-types`: gives types other workflows. */
const patchWorkflowTypes = defineService({
  name: '@workflow-types',
  method: 'PATCH',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Gives content types other workflows, and their content states of those, all in one transaction.',
  body: Type.Record(Type.String(), Type.Union([Type.String(), Type.Null(), Choice]), {
    message: { other: 'Must be an object of content types.' },
    examples: [
      { Page: { workflow: 'intranet_workflow', state_mapping: { published: 'external' } }, File: 'one_state_workflow' },
    ],
  }),
  responses: {
    204: { description: 'Changed.' },
    400: { description: 'A problem for each type: an unknown workflow, or a state that needs a place in it.' },
  },
  async run({ kernel, caller, body }) {
    const assignments = Object.entries(body).map(([type, choice]): Assignment => {
      if (!isJsonObject(choice)) return { type, workflow: choice, mapping: {} };
      return { type, workflow: choice.workflow, mapping: choice.state_mapping ?? {} };
    });
    await assignWorkflows(kernel, caller, assignments);
    return noContent();
  },
});

/** Workflows, and their assignment to types. */
export const workflowServices: Service[] = [
  ...[getWorkflows, getWorkflow, postWorkflow, patchWorkflow, deleteWorkflow],
  ...[getWorkflowTypes, patchWorkflowTypes],
];
