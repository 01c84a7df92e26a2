import { parseReference, storedReference } from './resolve-uid.ts';

/** What a link needs to know of its target. */
type LinkTarget = {
  /** Absolute URL. */
  url: string;
  /** Whether the caller may view the target. */
  visible: boolean;
  /** Where a link to the target itself leads this caller instead (a file's download, a link's target). */
  primaryUrl?: string;
};

/** Finds the target of a UID; undefined when there is none. */
export type FindTarget<T = LinkTarget> = (uid: string) => T | undefined;

/**
 * The served form of a stored string: the present address of its target with the suffix. A target
 * that the caller may not view keeps the form `../resolveuid/<UID>`, whatever was stored: its address
 * stays untold, and the reference survives when the caller writes it back. Strings that refer to
 * nothing known stay as they are (plone.restapi, uid_to_url).
 */
export function serveLink(link: string, targets: FindTarget): string {
  const reference = parseReference(link);
  const target = reference && targets(reference.uid);
  if (reference === undefined || target === undefined) return link;
  const { uid, suffix } = reference;
  if (!target.visible) return storedReference(uid, suffix);
  return suffix === '' && target.primaryUrl !== undefined ? target.primaryUrl : target.url + suffix;
}
