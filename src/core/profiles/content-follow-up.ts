import { isDeepStrictEqual } from 'node:util';
import { siteTimeZone } from '../configuration/panels/general.ts';
import type { Site } from '../configuration/site/site.ts';
import { workflowOf } from '../configuration/workflow/workflow.ts';
import { VIEW } from '../security/permissions.ts';
import type { ContentType } from '../types/content-type.ts';
import { isOpen } from '../types/index-kinds.ts';

/** The changes to content that follow from a changed configuration. */
export type FollowUp = {
  /** Types whose content may be in a state that their workflow does not have. */
  states: string[];
  /** Types whose content must be indexed anew; `all` when the viewers of any content may have changed. */
  reindex: string[] | 'all';
};

/** The parts of a type that the catalog uses: its fields, and how they are indexed. */
const indexed = (type: ContentType | undefined) => [
  type?.fields.map((field) => {
    const { name, factory, widget, type: json, index, column, items } = field;
    return { name, factory, widget, json, index, column, items, isOpen: isOpen(field) };
  }),
  type?.indexes.map(({ name, kind, field }) => [name, kind, field.name]),
  [...(type?.columns ?? [])],
];

const viewRules = (site: Site, type: string): unknown => {
  const workflow = workflowOf(site, type);
  const states = Object.entries(workflow?.states ?? {}).map(([id, { permissions }]) => [id, permissions[VIEW]]);
  return [workflow?.initial_state, Object.fromEntries(states)];
};

/** The time zone for repeated events of a type, whose times depend on it and on their fields. */
const occurrenceRules = (site: Site, type: string): string | undefined =>
  site.types.get(type)?.fieldByName.has('recurrence') ? siteTimeZone(site) : undefined;

const stateRules = (site: Site, type: string): unknown => {
  const { id, initial_state, states = {} } = workflowOf(site, type) ?? {};
  return [id, initial_state, Object.keys(states).sort()];
};

/** Compares two configurations of a site for their effect on the existing content. */
export function followUpOf(before: Site, after: Site): FollowUp {
  const types = [...after.types.values()].filter(({ id }) => before.types.has(id));
  const differs = (of: (site: Site, type: string) => unknown) =>
    types.filter(({ id }) => !isDeepStrictEqual(of(before, id), of(after, id))).map(({ id }) => id);
  const views = differs(viewRules).length > 0 || !isDeepStrictEqual(before.roleMap[VIEW], after.roleMap[VIEW]);
  return {
    states: differs(stateRules),
    reindex: views ? 'all' : differs((site, type) => [indexed(site.types.get(type)), occurrenceRules(site, type)]),
  };
}
