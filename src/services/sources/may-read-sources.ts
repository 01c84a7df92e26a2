import { has } from '../../content/permissions.ts';
import { VIEW } from '../../security/permissions.ts';
import { ACCESS_VOCABULARIES } from '../../site/vocabulary.ts';
import type { Call } from '../service.ts';

/** Whether the caller may read where the fields of what lies here get their values from. */
export const mayReadSources = ({ site, caller, located }: Call): boolean =>
  has(site, caller, located, VIEW) && has(site, caller, located, ACCESS_VOCABULARIES);
