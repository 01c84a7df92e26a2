import type { Service } from '../service.ts';
import { getVocabularies } from './get-vocabularies.ts';
import { getVocabulary } from './get-vocabulary.ts';

export const vocabulariesServices: Service[] = [getVocabularies, getVocabulary];
