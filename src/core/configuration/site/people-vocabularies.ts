import { findGroupTerms, findPrincipalTerms, findUserTerms } from '../../people/statements/vocabulary-terms.ts';
import { AUTHENTICATED_USERS } from '../../security/caller.ts';
import { plainTerms } from '../../types/vocabularies/term.ts';
import { ACCESS_VOCABULARIES, type Vocabulary } from './vocabulary.ts';

const permission = ACCESS_VOCABULARIES;

/** Vocabularies of users and groups, for users who work with content. The vocabularies exist on every site, so everybody sees their names. */
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
