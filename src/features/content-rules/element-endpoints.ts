import { Type } from 'typebox';
import {
  created,
  defineService,
  MANAGE_PORTAL,
  noContent,
  ok,
  type RequestContext,
  requests,
  type Service,
  schemas,
} from '#core';
import {
  addElement,
  changeElement,
  type ElementList,
  moveElement,
  removeElement,
  requireIndex,
  requireRule,
} from './change-rules.ts';
import { ElementBody, elementJson, kindsOf, RuleBody, ruleJson, ruleUrl } from './rule-json.ts';
import { findRule } from './statements/rules.ts';

const PROBLEMS = { description: 'A problem for each value.' };
const MISSING = { description: 'There is no such rule, or nothing at this place of it.' };

const Move = schemas.Choice(['_move_up', '_move_down'], { description: 'Moves it one place instead.' });

/** Makes the services of one list of rules; conditions and actions have the same services. */
function elementServices(list: ElementList): Service[] {
  const noun = list.slice(0, -1);
  const example = list === 'conditions' ? { check_types: ['Page'] } : { transition: 'publish' };
  const type = list === 'conditions' ? 'content_type' : 'transition_workflow';
  const common = { name: '@controlpanels', tag: 'content-rules', context: 'site', permission: MANAGE_PORTAL } as const;
  const placeIn = ({
    kernel,
    caller,
    params,
  }: Pick<RequestContext, 'kernel' | 'caller'> & { params: { rule: string } }) => ({
    caller,
    rule: params.rule,
    list,
    kinds: kindsOf(kernel, list),
  });

  const get = defineService({
    ...common,
    method: 'GET',
    summary: `A ${noun} of a content rule with its form and its values.`,
    rest: [`content-rules/{rule}/${noun}/{index}`],
    responses: { 200: { description: `The ${noun}.`, schema: ElementBody }, 404: MISSING },
    async run(context) {
      const { db, params } = context;
      const rule = requireRule(await findRule(db, params.rule), params.rule);
      return ok(await elementJson(context, rule, { list, index: requireIndex(rule, list, params.index) }));
    },
  });

  const post = defineService({
    ...common,
    method: 'POST',
    summary: `Adds a ${noun} to a content rule. Its values stand beside the type.`,
    rest: [`content-rules/{rule}/${noun}`],
    body: schemas.OpenObject(
      {
        type: Type.String({
          description: `Its kind: one of \`addable_${list}\` of the rule.`,
          message: 'must be the name of a kind, as "addview" of what can be added has it',
        }),
      },
      { examples: [{ type, ...example }] },
    ),
    responses: {
      201: {
        description: 'The whole rule.',
        schema: RuleBody,
        headers: { Location: { description: 'Address of the rule.' } },
      },
      400: PROBLEMS,
      404: { description: 'There is no such rule.' },
    },
    async run(context) {
      const { kernel, db, base, params, body } = context;
      await addElement(kernel, placeIn(context), { input: body, bases: requests.basesOf(context) });
      const rule = requireRule(await findRule(db, params.rule), params.rule);
      return created(await ruleJson(context, rule), { Location: ruleUrl(base, rule.id) });
    },
  });

  const patch = defineService({
    ...common,
    method: 'PATCH',
    summary: `Changes values of a ${noun} of a content rule, or moves it.`,
    rest: [`content-rules/{rule}/${noun}/{index}`],
    body: schemas.OpenObject({ 'form.button.Move': Type.Optional(Move) }, { examples: [example] }),
    responses: { 204: { description: 'Changed.' }, 400: PROBLEMS, 404: MISSING },
    async run(context) {
      const { kernel, params, body } = context;
      const { 'form.button.Move': move, ...input } = body;
      const { index } = params;
      if (move !== undefined)
        await moveElement(kernel, placeIn(context), { index, direction: move === '_move_up' ? 'up' : 'down' });
      else await changeElement(kernel, placeIn(context), { index, input, bases: requests.basesOf(context) });
      return noContent();
    },
  });

  const remove = defineService({
    ...common,
    method: 'DELETE',
    summary: `Removes a ${noun} from a content rule.`,
    rest: [`content-rules/{rule}/${noun}/{index}`],
    responses: { 204: { description: 'Removed.' }, 404: MISSING },
    async run(context) {
      await removeElement(context.kernel, placeIn(context), context.params.index);
      return noContent();
    },
  });

  return [get, post, patch, remove];
}

/** Conditions and actions of rules. */
export const ruleElementServices: Service[] = [...elementServices('conditions'), ...elementServices('actions')];
