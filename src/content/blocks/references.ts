import { parseReference } from './resolve-uid.ts';
import { collectLinks } from './store-blocks.ts';

/**
 * UIDs that links in stored blocks refer to, for the index of link integrity: exactly those that
 * reading replaces (plone.restapi, IBlockFieldLinkIntegrityRetriever).
 */
export function linkedUids(stored: unknown): Set<string> {
  const uids = new Set<string>();
  for (const link of collectLinks(stored)) {
    const reference = parseReference(link);
    if (reference !== undefined) uids.add(reference.uid);
  }
  return uids;
}
