import { viewerOf } from '../../content/vocabularies.ts';
import { panelSettings } from '../../site/panel.ts';
import { searchPanel } from '../../site/panels/navigation.ts';
import type { Site } from '../../site/site.ts';
import { findTagTerms } from '../../storage/statements/vocabulary-terms.ts';
import type { RequestContext } from '../service.ts';

type Term = { token: string; title: string };
/** Values that a selection offers, by token. */
export type Values = Record<string, { title: string }>;

/** Tags that are offered. */
const MOST_SUBJECTS = 5000;

const byTitle = (terms: readonly Term[]): Values =>
  Object.fromEntries(
    [...terms].sort((a, b) => a.title.localeCompare(b.title)).map(({ token, title }) => [token, { title }]),
  );

/** Types that people make content of and search for. */
const types = (site: Site): Term[] => {
  const hidden = new Set(panelSettings(site, searchPanel).types_not_searched);
  return [...site.types.values()].filter(({ id }) => !hidden.has(id)).map(({ id, title }) => ({ token: id, title }));
};

/** All states of all workflows; those of the same name are one, as the index knows their names only. */
const states = (site: Site): Term[] =>
  [...site.workflows.values()].flatMap(({ states: own }) =>
    Object.entries(own).map(([id, { title }]) => ({ token: id, title: `${title} [${id}]` })),
  );

/** What the vocabularies of query fields offer this caller. Names of users are nobody's to list here. */
export async function fieldValues(
  context: RequestContext,
  vocabularies: ReadonlySet<string>,
): Promise<Map<string, Values>> {
  const { site, db } = context;
  const values = new Map<string, Values>([
    ['plone.app.vocabularies.ReallyUserFriendlyTypes', byTitle(types(site))],
    ['plone.app.vocabularies.WorkflowStates', byTitle(states(site))],
    ['plone.app.vocabularies.Roles', byTitle(site.roles.map(({ id, title }) => ({ token: id, title })))],
  ]);
  if (vocabularies.has('plone.app.vocabularies.Keywords')) {
    const { items } = await findTagTerms(db, viewerOf(context), { start: 0, size: MOST_SUBJECTS });
    values.set('plone.app.vocabularies.Keywords', byTitle(items));
  }
  return values;
}
