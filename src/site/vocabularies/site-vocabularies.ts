import type { Vocabulary } from '../vocabulary.ts';
import { actionVocabularies } from './action-vocabularies.ts';
import { formVocabularies } from './form-vocabularies.ts';
import { languageVocabularies } from './language-vocabularies.ts';
import { rightVocabularies } from './right-vocabularies.ts';
import { staticVocabularies } from './static-vocabularies.ts';
import { typeVocabularies } from './type-vocabularies.ts';
import { workflowVocabularies } from './workflow-vocabularies.ts';

/** The vocabularies that follow from the configuration of the site. */
export const siteVocabularies: readonly Vocabulary[] = [
  ...staticVocabularies,
  ...typeVocabularies,
  ...workflowVocabularies,
  ...rightVocabularies,
  ...actionVocabularies,
  ...languageVocabularies,
  ...formVocabularies,
];
