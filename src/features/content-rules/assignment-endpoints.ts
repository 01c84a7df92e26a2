import { type Static, Type } from 'typebox';
import { created, defineService, noContent, ok, type RequestContext, type Service, schemas } from '#core';
import { BadRequest } from '#lib/errors';
import {
  assignToFolder,
  assignToSite,
  MANAGE_RULES,
  moveAssignment,
  switchAssignments,
  unassignFromFolder,
} from './change-assignments.ts';
import { triggerOf } from './rule-events.ts';
import { ruleUrl } from './rule-json.ts';
import { type FolderRule, rulesOfFolder } from './statements/assignments.ts';

const common = { name: '@content-rules', context: 'folderish', permission: MANAGE_RULES } as const;
const MESSAGE = Type.Object({ message: Type.String() });

const Assigned = Type.Object({
  id: Type.String(),
  title: Type.String(),
  description: Type.String(),
  trigger: Type.String({ description: 'What the rule follows on.' }),
  enabled: Type.Boolean({ description: 'Whether it is on for this folder.' }),
  bubbles: Type.Boolean({ description: 'Whether it applies to everything below.' }),
  global_enabled: Type.Boolean({ description: 'Whether the rule itself is on.' }),
  url: Type.String({ format: 'uri' }),
});

function assignedJson(
  { site, base }: Pick<RequestContext, 'site' | 'base'>,
  { id, title, description, event, ...rule }: FolderRule,
): Static<typeof Assigned> {
  const { enabled, bubbles, globalEnabled } = rule;
  return {
    ...{
      id,
      title,
      description,
      trigger: triggerOf(site, event),
      enabled: enabled ?? false,
      bubbles: bubbles ?? false,
    },
    ...{ global_enabled: globalEnabled, url: ruleUrl(base, id) },
  };
}

/** GET `@content-rules`: the rules of a folder. */
const getFolderRules = defineService({
  ...common,
  method: 'GET',
  summary: 'The content rules of a folder: those that it has, those that apply from folders above, and the others.',
  responses: {
    200: {
      description: 'The rules.',
      schema: Type.Object({
        'content-rules': Type.Object({
          acquired_rules: Type.Array(Assigned, { description: 'Those of folders above.' }),
          assigned_rules: Type.Array(Assigned, { description: 'Those of this folder, in their order.' }),
          assignable_rules: Type.Array(
            Type.Object({ id: Type.String(), title: Type.String(), description: Type.String() }),
            { description: 'Those that this folder does not have.' },
          ),
        }),
      }),
    },
  },
  async run({ db, site, base, resolved: { object, ancestors } }) {
    const rules = await rulesOfFolder(db, { oid: object.oid, ancestors: ancestors.map(({ oid }) => oid) });
    const isAssigned = ({ enabled, acquired }: FolderRule): boolean => enabled !== null && !acquired;
    return ok({
      'content-rules': {
        acquired_rules: rules.filter(({ acquired }) => acquired).map((rule) => assignedJson({ site, base }, rule)),
        assigned_rules: rules.filter(isAssigned).map((rule) => assignedJson({ site, base }, rule)),
        assignable_rules: rules
          .filter((rule) => !isAssigned(rule))
          .map(({ id, title, description }) => ({ id, title, description })),
      },
    });
  },
});

/** POST `@content-rules/<rule>`: assigns a rule to a folder. */
const postFolderRule = defineService({
  ...common,
  method: 'POST',
  summary: 'Assigns a content rule to a folder: it applies to what is in the folder itself.',
  rest: ['', '{rule}'],
  body: schemas.OpenObject({}, { description: 'Nothing of it is used.' }),
  responses: {
    201: { description: 'Assigned, or so already.', schema: MESSAGE },
    400: { description: 'The address names no rule.' },
    404: { description: 'There is no such rule.' },
  },
  async run({ kernel, caller, resolved, params: { rule } }) {
    if (rule === undefined) throw new BadRequest('The address must end with the id of a rule: @content-rules/<rule>.');
    await assignToFolder(kernel, { caller, path: resolved.object.path }, rule);
    return created({ message: `Successfully assigned the content rule ${rule}` });
  },
});

const RuleIds = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
  description: 'Ids of rules.',
  minItems: 1,
  maxItems: 500,
  message: 'must be a list of ids of rules',
});

const Button = (description: string) => Type.Optional(Type.Boolean({ description, message: 'must be true or false' }));

/** Buttons, each with the change that it makes to assignments, and the message after it. */
const BUTTONS = [
  ['form.button.Enable', { enabled: true }, (ids: string) => `Successfully enabled rules ${ids}`],
  ['form.button.Disable', { enabled: false }, (ids: string) => `Successfully disabled rules ${ids}`],
  ['form.button.Bubble', { bubbles: true }, (ids: string) => `Successfully enabled rules ${ids} to subfolders`],
  ['form.button.NoBubble', { bubbles: false }, (ids: string) => `Successfully disabled rules ${ids} to subfolders`],
] as const;

const NOTHING_TO_DO =
  'Send a button such as "form.button.Enable" with "rule_ids", or "operation" (move_up, move_down) with "rule_id".';

/** PATCH `@content-rules`: switches and moves the rules of a folder. */
const patchFolderRules = defineService({
  ...common,
  method: 'PATCH',
  summary: 'Switches rules of a folder on and off, for the folder or for everything below, and changes their order.',
  body: Type.Object(
    {
      rule_ids: Type.Optional(RuleIds),
      'form.button.Enable': Button('Switches them on here.'),
      'form.button.Disable': Button('Switches them off here.'),
      'form.button.Bubble': Button('Applies them to everything below.'),
      'form.button.NoBubble': Button('Applies them to what is in the folder itself.'),
      'form.button.ApplyOnWholeSite': Button('Assigns them to the site root and everything below.'),
      operation: Type.Optional(schemas.Choice(['move_up', 'move_down'], { description: 'Moves one rule one place.' })),
      rule_id: Type.Optional(Type.String({ description: 'The rule to move.', maxLength: 200 })),
    },
    { examples: [{ 'form.button.Bubble': true, rule_ids: ['publish-news'] }] },
  ),
  responses: {
    200: { description: 'Done.', schema: MESSAGE },
    400: { description: 'A rule is not assigned here, or nothing is to be done.' },
  },
  async run({ kernel, caller, resolved, body }) {
    const request = { caller, path: resolved.object.path };
    const { operation, rule_id: rule, rule_ids: rules } = body;
    if (operation !== undefined && rule !== undefined) {
      await moveAssignment(kernel, request, { rule, direction: operation === 'move_up' ? 'up' : 'down' });
      return ok({ message: `Successfully applied the ${operation}` });
    }
    const pressed = BUTTONS.filter(([name]) => body[name] === true);
    const isForAll = body['form.button.ApplyOnWholeSite'] === true;
    if (rules === undefined || (pressed.length === 0 && !isForAll)) throw new BadRequest(NOTHING_TO_DO);
    const ids = rules.join(', ');
    const messages = pressed.map(([, , message]) => message(ids));
    if (isForAll) {
      await assignToSite(kernel, caller, rules);
      messages.push(`Successfully applied rules ${ids} on the whole site`);
    }
    if (pressed.length > 0) {
      const switches: { enabled?: boolean; bubbles?: boolean } = Object.assign(
        {},
        ...pressed.map(([, change]) => change),
      );
      await switchAssignments(kernel, request, { rules, ...switches });
    }
    return ok({ message: messages.join('; ') });
  },
});

/** DELETE `@content-rules`: takes rules from a folder. */
const deleteFolderRules = defineService({
  ...common,
  method: 'DELETE',
  summary: 'Takes content rules from a folder. The rules themselves stay.',
  body: Type.Object(
    {
      rule_ids: RuleIds,
      'form.button.Delete': Type.Optional(Type.Unknown({ description: 'The button of a form. It changes nothing.' })),
    },
    { examples: [{ rule_ids: ['publish-news'] }] },
  ),
  responses: { 204: { description: 'Gone.' }, 400: { description: 'There are no ids of rules.' } },
  async run({ kernel, caller, resolved, body }) {
    await unassignFromFolder(kernel, { caller, path: resolved.object.path }, body.rule_ids);
    return noContent();
  },
});

/** The rules of folders. */
export const assignmentServices: Service[] = [getFolderRules, postFolderRule, patchFolderRules, deleteFolderRules];
