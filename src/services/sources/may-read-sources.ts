import { has } from '../../content/permissions.ts';
import { VIEW } from '../../security/permissions.ts';
import { ACCESS_VOCABULARIES } from '../../site/vocabulary.ts';
import type { RequestContext } from '../service.ts';

/** Whether the caller may read where the fields of what lies here get their values from. */
export const mayReadSources = ({ site, caller, resolved }: RequestContext): boolean =>
  has(site, caller, resolved, VIEW) && has(site, caller, resolved, ACCESS_VOCABULARIES);
