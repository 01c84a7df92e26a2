import type { ContentType, Field } from '../../types/content-type.ts';
import type { Fieldset, GroupSchema, Property } from '../../types/definition.ts';
import type { WorkflowDefinition } from '../workflow/workflow.ts';
import type { Site } from './site.ts';

type Say = (text: string) => string;
type Titled = { title: string; description?: string };

const titled = <T extends Titled>(part: T, say: Say): T => ({
  ...part,
  title: say(part.title),
  ...(part.description === undefined ? {} : { description: say(part.description) }),
});

const sayChoices = (choices: [string, string][], say: Say): [string, string][] =>
  choices.map(([token, title]) => [token, say(title)]);

/** A field with translated texts of its form: title, description and choices. */
function shown<T extends Property>(property: T, say: Say): T {
  const { choices, items } = property;
  return {
    ...titled(property, say),
    ...(choices ? { choices: sayChoices(choices, say) } : {}),
    ...(items?.choices ? { items: { ...items, choices: sayChoices(items.choices, say) } } : {}),
  };
}

/** The fields inside of a group, with translated texts. */
const groupIn = (schema: GroupSchema, say: Say): GroupSchema => ({
  ...schema,
  ...(schema.title === undefined ? {} : { title: say(schema.title) }),
  fieldsets: schema.fieldsets.map((fieldset) => titled(fieldset, say)),
  properties: Object.fromEntries(
    Object.entries(schema.properties).map(([name, property]) => [name, propertyIn(property, say)]),
  ),
});

const propertyIn = <P extends Property>(property: P, say: Say): P => ({
  ...titled(property, say),
  ...(property.schema ? { schema: groupIn(property.schema, say) } : {}),
});

const entries = <T extends Titled>(parts: Record<string, T>, say: Say): Record<string, T> =>
  Object.fromEntries(Object.entries(parts).map(([id, part]) => [id, titled(part, say)]));

function typeIn(type: ContentType, say: Say): ContentType {
  const fields = type.fields.map((field): Field => titled(field, say));
  return {
    ...titled(type, say),
    properties: Object.fromEntries(
      Object.entries(type.properties).map(([name, property]) => [name, propertyIn(property, say)]),
    ),
    fieldsets: type.fieldsets.map((fieldset): Fieldset => titled(fieldset, say)),
    fields,
    fieldByName: new Map(fields.map((field) => [field.name, field])),
    indexes: type.indexes.map((index) => titled(index, say)),
  };
}

const workflowIn = (workflow: WorkflowDefinition, say: Say): WorkflowDefinition => ({
  ...workflow,
  title: say(workflow.title),
  states: entries(workflow.states, say),
  transitions: entries(workflow.transitions, say),
});

const mapValues = <T>(values: ReadonlyMap<string, T>, change: (value: T) => T): Map<string, T> =>
  new Map([...values].map(([key, value]) => [key, change(value)]));

const made = new WeakMap<Site, Map<string, Site>>();

/**
 * The site as a reader of a language sees it: titles and descriptions of types, fields, states, transitions, roles and actions are in that language
 * if a translation exists, else as stored. For responses only, never for writes, which would store the translation. Made once for each language,
 * because a site never changes.
 */
export function localizedSite(site: Site, language: string): Site {
  const { messages } = site.registries;
  const name = messages.languageFor(language);
  if (name === undefined) return site;
  const known = made.get(site) ?? new Map<string, Site>();
  made.set(site, known);
  const present = known.get(name);
  if (present) return present;
  const say: Say = (text) => messages.translate(text, name);
  const localized: Site = {
    ...site,
    language: name,
    types: mapValues(site.types, (type) => typeIn(type, say)),
    workflows: mapValues(site.workflows, (workflow) => workflowIn(workflow, say)),
    roles: site.roles.map((role) => titled(role, say)),
    actions: mapValues(site.actions, (actions) => actions.map((action) => ({ ...action, title: say(action.title) }))),
  };
  known.set(name, localized);
  return localized;
}

/** A text of the server itself, such as the title of a control panel, in the language of a localized site. */
export const say = ({ language, registries }: Site, text: string): string =>
  language === undefined ? text : registries.messages.translate(text, language);

/** A field that the server itself describes, such as a setting of a control panel, in the language of a localized site. */
export const titledIn = <T extends Property>(site: Site, property: T): T => shown(property, (text) => say(site, text));
