import { parseReference, storedReference } from './resolve-uid.ts';

/** Target of a link. */
type LinkTarget = {
  /** Absolute URL. */
  url: string;
  /** True if the caller may view the target. */
  visible: boolean;
  /** The address to which a link to the target leads this caller instead (a file's download, a link's target). */
  primaryUrl?: string;
};

/** Finds the target of a UID; undefined if it does not exist. */
export type FindTarget<T = LinkTarget> = (uid: string) => T | undefined;

/**
 * The served form of a stored string: the present address of its target with the suffix. A link to a target that the caller may not view is always
 * served as `../resolveuid/<UID>`: its address is not revealed, and the reference survives when the caller writes it back. Strings without a target
 * are served unchanged (plone.restapi, uid_to_url).
 */
export function serveLink(link: string, targets: FindTarget): string {
  const reference = parseReference(link);
  const target = reference && targets(reference.uid);
  if (reference === undefined || target === undefined) return link;
  const { uid, suffix } = reference;
  if (!target.visible) return storedReference(uid, suffix);
  return suffix === '' && target.primaryUrl !== undefined ? target.primaryUrl : target.url + suffix;
}
