import { translate } from '../../i18n/translate.ts';
import { byTitle, type Term } from '../../types/vocabularies/term.ts';
import type { Site } from '../site.ts';
import type { SiteVocabulary } from '../vocabulary.ts';

type Part = 'states' | 'transitions';

/** The states or transitions of all workflows. Those of the same id are one, for searches and rules know ids only. */
function partTerms({ workflows }: Site, part: Part, language: string): Term[] {
  const titles = new Map<string, string>();
  for (const workflow of workflows.values())
    for (const [id, { title }] of Object.entries(workflow[part])) if (!titles.has(id)) titles.set(id, title);
  return byTitle([...titles].map(([token, title]) => ({ token, title: translate(title, language) })));
}

/** Titles with their ids behind, as Plone has them: several states may have one title. */
const withIds = (terms: readonly Term[]): Term[] =>
  terms.map(({ token, title }) => ({ token, title: `${title} [${token}]` }));

/** Workflows, their states and their transitions. */
export const workflowVocabularies: readonly SiteVocabulary[] = [
  {
    names: ['workflows', 'plone.app.vocabularies.Workflows'],
    terms: ({ workflows }, language) =>
      byTitle([...workflows.values()].map(({ id, title }) => ({ token: id, title: translate(title, language) }))),
  },
  { names: ['workflowStates'], terms: (site, language) => partTerms(site, 'states', language) },
  { names: ['workflowTransitions'], terms: (site, language) => partTerms(site, 'transitions', language) },
  {
    names: ['plone.app.vocabularies.WorkflowStates'],
    terms: (site, language) => withIds(partTerms(site, 'states', language)),
  },
  {
    names: ['plone.app.vocabularies.WorkflowTransitions'],
    terms: (site, language) => withIds(partTerms(site, 'transitions', language)),
  },
];
