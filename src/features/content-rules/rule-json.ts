import { type Static, Type } from 'typebox';
import {
  contentRules,
  Form,
  formOf,
  type Kernel,
  type Queryable,
  type RequestContext,
  say,
  schemas,
  urlOf,
} from '#core';
import type { ElementList } from './change-rules.ts';
import { type ElementKind, type ElementKinds, type Targets, targetsOf, withTargets } from './element-values.ts';
import { tokenOfEvent, triggerOf } from './rule-events.ts';
import { foldersOfRule } from './statements/assignments.ts';
import { listFailures } from './statements/failures.ts';
import type { RuleEntry, StoredElement, StoredRule } from './statements/rules.ts';
import { listWaitingWebhooks } from './statements/webhooks.ts';

type View = Pick<RequestContext, 'kernel' | 'site' | 'base' | 'db'>;

const Kind = Type.Object({
  '@schema': Form,
  addview: Type.String({ description: 'What to send as `type`.' }),
  title: Type.String(),
  description: Type.String(),
});

const ELEMENT = Type.Object({
  idx: Type.Integer({ description: 'Its place, from 0; it is called by that.' }),
  type: Type.String({ description: 'Its kind.' }),
  title: Type.String(),
  description: Type.String(),
  summary: Type.String({ description: 'What it does, with its values.' }),
  first: Type.Boolean(),
  last: Type.Boolean(),
});

const Entry = Type.Object({
  '@id': Type.String({ format: 'uri' }),
  id: Type.String(),
  title: Type.String(),
  description: Type.String(),
  enabled: Type.Boolean({ description: 'Whether it runs at all.' }),
  assigned: Type.Boolean({ description: 'Whether any folder has it.' }),
  trigger: Type.String({
    description: 'The title of its event on sites with the names of Plone, the same as `event` on others.',
  }),
  event: Type.String(),
  stop: Type.Boolean({ description: 'No further rule runs after it.' }),
  cascading: Type.Boolean({ description: 'What its actions do may start other rules.' }),
});

/** A rule in the list. */
export const RuleListEntry = Type.Object({
  ...Entry.properties,
  row_class: Type.String({ description: 'Words that lists can be filtered by, as Plone has them.' }),
  failures: Type.Integer({ description: 'How often it has failed.' }),
});

/** A whole rule. */
export const RuleBody = Type.Object({
  ...Entry.properties,
  group: Type.String(),
  conditions: Type.Array(ELEMENT),
  actions: Type.Array(ELEMENT),
  addable_conditions: Type.Array(Kind),
  addable_actions: Type.Array(Kind),
  assignments: Type.Array(
    Type.Object({
      title: Type.String(),
      description: Type.String(),
      url: Type.String({ format: 'uri' }),
      enabled: Type.Boolean(),
      bubbles: Type.Boolean({ description: 'It applies to everything below.' }),
    }),
    { description: 'The folders that have it, 100 at most.' },
  ),
  assignments_total: Type.Integer(),
  failures: Type.Object(
    {
      count: Type.Integer(),
      last: schemas.Nullable(Type.String({ format: 'date-time' })),
      items: Type.Array(
        Type.Object({ at: Type.String({ format: 'date-time' }), path: Type.String(), message: Type.String() }),
      ),
    },
    { description: 'How often it has failed, and the last failures.' },
  ),
  webhooks: Type.Object(
    {
      waiting: Type.Integer(),
      items: Type.Array(
        Type.Object({
          content: Type.String({ description: 'The path of the content that it is about.' }),
          url: Type.String(),
          method: Type.String(),
          attempts: Type.Integer({ description: 'How often it was tried.' }),
          next: Type.String({ format: 'date-time', description: 'When it is tried next.' }),
          until: Type.String({ format: 'date-time', description: 'When it is given up.' }),
        }),
        { description: 'The 20 that were tried most often.' },
      ),
    },
    { description: 'Requests to other systems that wait to be sent.' },
  ),
});

/** One condition or action with its values. */
export const ElementBody = schemas.Extensible(
  { '@id': schemas.Address, '@schema': Form, type: Type.String() },
  { description: 'The values stand beside the schema.' },
);

/** The kinds of the elements of a list. */
export const kindsOf = ({ slots }: Pick<Kernel, 'slots'>, list: ElementList): ElementKinds =>
  slots.get(contentRules.KINDS)[list];

export const ruleUrl = (base: string, id: string): string =>
  `${base}/@controlpanels/content-rules/${encodeURIComponent(id)}`;

function entryJson(
  { site, base }: Pick<View, 'site' | 'base'>,
  rule: Omit<RuleEntry, 'failures'>,
): Static<typeof Entry> {
  const { id, title, description, event, enabled, stop, cascading, assigned } = rule;
  return {
    '@id': ruleUrl(base, id),
    id,
    title,
    description,
    enabled,
    assigned,
    trigger: triggerOf(site, event),
    event: tokenOfEvent(site, event),
    stop,
    cascading,
  };
}

/** A rule in the list (plone.restapi and Nick, `@controlpanels/content-rules`). */
export const listEntryJson = (view: Pick<View, 'site' | 'base'>, rule: RuleEntry): Static<typeof RuleListEntry> => ({
  ...entryJson(view, rule),
  row_class: [
    `trigger-${rule.event.toLowerCase()}`,
    `state-${rule.enabled ? 'enabled' : 'disabled'}`,
    `assignment-${rule.assigned ? 'assigned' : 'unassigned'}`,
  ].join(' '),
  failures: rule.failures,
});

const kindJson = (view: View, kind: ElementKind): Static<typeof Kind> => ({
  '@schema': formOf(view.site, view.base, kind.schema),
  addview: kind.name,
  title: say(view.site, kind.title),
  description: say(view.site, kind.description),
});

/** The elements of a list, each with its summary. An element of a missing kind has only its name. */
function elementsJson(
  { kernel, site }: View,
  list: readonly { kind: ElementKind | undefined; element: StoredElement }[],
  targets: Targets,
): Static<typeof ELEMENT>[] {
  const pathOf = (stored: unknown): unknown => targets.get(String(stored))?.path ?? stored;
  return list.map(({ kind, element: { type, values } }, idx) => ({
    idx,
    type,
    title: kind ? say(site, kind.title) : type,
    description: kind ? say(site, kind.description) : '',
    summary: kind ? say(site, kind.summary(withTargets(kernel, kind, values, pathOf))) : type,
    first: idx === 0,
    last: idx === list.length - 1,
  }));
}

/** Maximum number of folders of a rule in a response. */
const MAX_ASSIGNMENTS = 100;
/** Maximum number of requests of a rule in a response. */
const MAX_WEBHOOKS = 20;

/** The requests of a rule that wait. */
async function webhooksJson(db: Queryable, rule: string): Promise<Static<typeof RuleBody>['webhooks']> {
  const { items, total } = await listWaitingWebhooks(db, rule, MAX_WEBHOOKS);
  return {
    waiting: total,
    items: items.map(({ path, url, method, attempts, due, expires }) => ({
      ...{ content: path, url, method, attempts, next: due.toISOString(), until: expires.toISOString() },
    })),
  };
}

/** A whole rule, with the folders that have it and its last failures. */
export async function ruleJson(view: View, rule: StoredRule & { failures: number }): Promise<Static<typeof RuleBody>> {
  const { kernel, db, base } = view;
  const { items, total } = await foldersOfRule(db, rule.id, MAX_ASSIGNMENTS);
  const failures = rule.failures > 0 ? await listFailures(db, rule.id) : [];
  const withKinds = (list: ElementList) =>
    rule[list].map((element) => ({ element, kind: kindsOf(kernel, list).get(element.type) }));
  const [conditions, actions] = [withKinds('conditions'), withKinds('actions')];
  const targets = await targetsOf(kernel, db, [...conditions, ...actions]);
  return {
    ...entryJson(view, { ...rule, assigned: total > 0 }),
    group: 'Content',
    conditions: elementsJson(view, conditions, targets),
    actions: elementsJson(view, actions, targets),
    addable_conditions: [...kindsOf(kernel, 'conditions').values()].map((kind) => kindJson(view, kind)),
    addable_actions: [...kindsOf(kernel, 'actions').values()].map((kind) => kindJson(view, kind)),
    assignments: items.map(({ path, title, description, enabled, bubbles }) => ({
      ...{ title, description, url: urlOf(base, path), enabled, bubbles },
    })),
    assignments_total: total,
    failures: {
      count: rule.failures,
      last: failures[0]?.at.toISOString() ?? null,
      items: failures.map(({ at, path, message }) => ({
        at: at.toISOString(),
        path,
        message: say(view.site, message),
      })),
    },
    webhooks: await webhooksJson(db, rule.id),
  };
}

/** One element with the form of its kind. Content that it names is a list of one object, as object browsers expect. */
export async function elementJson(
  view: View,
  rule: StoredRule,
  { list, index }: { list: ElementList; index: number },
): Promise<Static<typeof ElementBody>> {
  const { kernel, db, base } = view;
  const element = rule[list][index] ?? { type: '', values: {} };
  const kind = kindsOf(kernel, list).get(element.type);
  const targets = await targetsOf(kernel, db, [{ kind, element }]);
  const shown = (stored: unknown): unknown => {
    const target = targets.get(String(stored));
    return target ? [{ '@id': urlOf(base, target.path), UID: target.uid, path: target.path }] : stored;
  };
  return {
    '@id': `${ruleUrl(base, rule.id)}/${list.slice(0, -1)}/${index}`,
    '@schema': kind
      ? formOf(view.site, view.base, kind.schema)
      : { type: 'object', fieldsets: [], properties: {}, required: [] },
    type: element.type,
    ...(kind ? withTargets(kernel, kind, element.values, shown) : element.values),
  };
}
