import { say } from '../configuration/site/localized-site.ts';
import type { Site } from '../configuration/site/site.ts';
import { languageTitle } from '../i18n/languages.ts';
import type { FieldIndex } from '../types/content-type.ts';

/** The declaration of an index by a type, found by the name of the index. */
function declaredIndex({ types }: Site, name: string): FieldIndex | undefined {
  for (const { indexes } of types.values()) {
    const declared = indexes.find((index) => index.name === name);
    if (declared) return declared;
  }
  return undefined;
}

function stateTitle({ workflows }: Site, state: string): string | undefined {
  for (const { states } of workflows.values()) if (Object.hasOwn(states, state)) return states[state]?.title;
  return undefined;
}

const yesOrNo = (site: Site, value: string): string => say(site, value === 'true' ? 'Yes' : 'No');

/** The title of a value of a declared index: of a choice or a term, or of a truth value. */
function declaredTitle(site: Site, { kind, field }: FieldIndex, value: string): string | undefined {
  if (kind === 'boolean') return yesOrNo(site, value);
  const choice = (field.choices ?? field.items?.choices)?.find(([token]) => token === value)?.[1];
  return choice === undefined ? field.terms?.()?.titles.get(value) : say(site, choice);
}

/**
 * Titles for the values of a facet in the language of the reader: of types, states, languages, truth values, choices and terms.
 * Every other value is its own title.
 */
export function facetTitles(site: Site, index: string): (value: string) => string {
  const declared = declaredIndex(site, index);
  const titleOf = (value: string): string | undefined => {
    if (declared) return declaredTitle(site, declared, value);
    if (index === 'portal_type') return site.types.get(value)?.title;
    if (index === 'review_state') return stateTitle(site, value);
    if (index === 'Language') return languageTitle(value, site.language);
    return index === 'exclude_from_nav' ? yesOrNo(site, value) : undefined;
  };
  return (value) => titleOf(value) ?? value;
}
