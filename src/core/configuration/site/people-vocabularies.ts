import { findGroupTerms, findPrincipalTerms, findUserTerms } from '../../people/statements/vocabulary-terms.ts';
import { AUTHENTICATED_USERS } from '../../security/caller.ts';
import { plainTerms } from '../../types/vocabularies/term.ts';
import { ACCESS_VOCABULARIES, type Vocabulary } from './vocabulary.ts';

const permission = ACCESS_VOCABULARIES;

/** Users and groups, for those who work with content; and the names that exist on every site, for everybody. */
export const peopleVocabularies: readonly Vocabulary[] = [
  {
    names: ['users', 'plone.app.vocabularies.Users'],
    permission,
    find: ({ db }, request) => findUserTerms(db, request),
  },
  {
    names: ['groups', 'plone.app.vocabularies.Groups', 'plone.app.users.group_ids'],
    permission,
    find: ({ db }, request) => findGroupTerms(db, request),
  },
  {
    names: ['plone.app.vocabularies.Principals'],
    permission,
    find: ({ db }, request) => findPrincipalTerms(db, request),
  },
  { names: ['systemUsers'], terms: () => plainTerms(['admin', 'anonymous']) },
  { names: ['systemGroups'], terms: () => plainTerms([AUTHENTICATED_USERS, 'Owner']) },
];
