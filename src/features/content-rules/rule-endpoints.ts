import { Type } from 'typebox';
import {
  created,
  defineService,
  MANAGE_PORTAL,
  noContent,
  ok,
  type RequestContext,
  type Service,
  say,
  schemas,
} from '#core';
import { assignToSite } from './change-assignments.ts';
import { createRule, patchRule, removeRule, requireRule } from './change-rules.ts';
import { parseRuleEvent } from './rule-events.ts';
import { listEntryJson, RuleBody, RuleListEntry, ruleJson, ruleUrl } from './rule-json.ts';
import { findRule, listRules } from './statements/rules.ts';

const common = { name: '@controlpanels', tag: 'content-rules', context: 'site', permission: MANAGE_PORTAL } as const;
const MISSING = { description: 'There is no such rule.' };
const LOCATION = { Location: { description: 'Its address.' } };

const NO_TITLE = 'The property "title" is required: what the rule is called.';
const NO_EVENT = 'must be one of the vocabulary plone.contentrules.events, such as onAfterAdd';

/** An event by its name or title. `run` gets its name. */
const Event = Type.Decode(
  Type.Refine(
    Type.String({ description: 'What it follows on: a token of `plone.contentrules.events`.', message: NO_EVENT }),
    (text) => parseRuleEvent(text) !== undefined,
    () => NO_EVENT,
  ),
  (text) => parseRuleEvent(text) ?? 'onAfterAdd',
);

const Flag = ({ description }: { description: string }) =>
  Type.Boolean({ description, default: false, message: 'must be true or false' });

const MEMBERS = {
  title: schemas.Text({
    description: 'What it is called.',
    minLength: 1,
    maxLength: 255,
    pattern: '\\S',
    message: {
      required: NO_TITLE,
      minLength: NO_TITLE,
      pattern: NO_TITLE,
      other: 'must be a text of at most 255 characters',
    },
  }),
  description: schemas.Text({ maxLength: 2000, default: '', message: 'must be a text of at most 2000 characters' }),
  event: Event,
  enabled: Type.Boolean({ description: 'Whether it runs.', default: true, message: 'must be true or false' }),
  stop: Flag({ description: 'No further rule runs after it.' }),
  cascading: Flag({ description: 'What its actions do may start other rules.' }),
};

const EXAMPLE = {
  title: 'Publish news',
  description: 'News are public at once.',
  event: 'onAfterAdd',
  enabled: true,
  stop: false,
  cascading: false,
};

const RuleChange = schemas.Changes(
  Type.Object({
    ...MEMBERS,
    stopExecuting: Type.Boolean({ description: 'Another name of `stop`.', message: 'must be true or false' }),
    'form.button.Save': Type.Unknown({ description: 'The button of a form. It changes nothing.' }),
    'form.button.ApplyOnWholeSite': Type.Boolean({
      description: 'Assigns the rule to the site root and everything below.',
      message: 'must be true or false',
    }),
  }),
  { examples: [{ enabled: false }] },
);

/** The JSON of the rule in the address. Throws NotFound. */
const representRule = async (context: Pick<RequestContext, 'kernel' | 'site' | 'base' | 'db'>, id: string) =>
  ruleJson(context, requireRule(await findRule(context.db, id), id));

/** GET `@controlpanels/content-rules`: the rules. */
const getRules = defineService({
  ...common,
  method: 'GET',
  summary: 'Lists the content rules.',
  rest: ['content-rules'],
  overrides: true,
  responses: {
    200: {
      description: 'The rules, in a list inside of `items`.',
      schema: Type.Object({
        '@id': Type.String({ format: 'uri' }),
        title: Type.String(),
        group: Type.String(),
        items: Type.Array(Type.Array(RuleListEntry)),
      }),
    },
  },
  run: async ({ db, site, base }) =>
    ok({
      '@id': `${base}/@controlpanels/content-rules`,
      title: say(site, 'Content Rules'),
      group: say(site, 'Content'),
      items: [(await listRules(db)).map((rule) => listEntryJson({ site, base }, rule))],
    }),
});

/** GET `@controlpanels/content-rules/<rule>`: a rule. */
const getRule = defineService({
  ...common,
  method: 'GET',
  summary: 'A content rule with its conditions, actions, folders and failures, and what can be added to it.',
  rest: ['content-rules/{rule}'],
  responses: { 200: { description: 'The rule.', schema: RuleBody }, 404: MISSING },
  run: async (context) => ok(await representRule(context, context.params.rule)),
});

/** POST `@controlpanels/content-rules`: makes a rule. */
const postRule = defineService({
  ...common,
  method: 'POST',
  summary: 'Makes a content rule, without conditions and actions. It runs once a folder has it.',
  rest: ['content-rules'],
  body: Type.Object(MEMBERS, { examples: [EXAMPLE] }),
  responses: {
    201: { description: 'The new rule.', schema: RuleBody, headers: LOCATION },
    400: { description: 'A problem for each field.' },
  },
  async run(context) {
    const { kernel, caller, base, body } = context;
    const id = await createRule(kernel, caller, body);
    return created(await representRule(context, id), { Location: ruleUrl(base, id) });
  },
});

/** PATCH `@controlpanels/content-rules/<rule>`: changes a rule. */
const patchRuleService = defineService({
  ...common,
  method: 'PATCH',
  summary: 'Changes what is sent of a content rule, or assigns it to the whole site.',
  rest: ['content-rules/{rule}'],
  body: RuleChange,
  responses: { 204: { description: 'Changed.' }, 400: { description: 'A problem for each field.' }, 404: MISSING },
  async run({ kernel, caller, params, body }) {
    const { stopExecuting, 'form.button.Save': _button, 'form.button.ApplyOnWholeSite': isForAll, ...change } = body;
    const input = { ...(stopExecuting === undefined ? {} : { stop: stopExecuting }), ...change };
    await patchRule(kernel, { caller, id: params.rule }, input);
    if (isForAll) await assignToSite(kernel, caller, [params.rule]);
    return noContent();
  },
});

/** DELETE `@controlpanels/content-rules/<rule>`: removes a rule. */
const deleteRuleService = defineService({
  ...common,
  method: 'DELETE',
  summary: 'Removes a content rule from the site and from all folders.',
  rest: ['content-rules/{rule}'],
  responses: { 204: { description: 'Removed.' }, 404: MISSING },
  async run({ kernel, caller, params }) {
    await removeRule(kernel, caller, params.rule);
    return noContent();
  },
});

/** The rules of the site. */
export const ruleServices: Service[] = [getRules, getRule, postRule, patchRuleService, deleteRuleService];
