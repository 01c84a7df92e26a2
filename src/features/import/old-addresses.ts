import { contentPath } from '#core';
import type { ImportReport } from './import-report.ts';
import type { ImportPlan } from './planned-object.ts';

/** Addresses in the JSON of values; an apostrophe or a backslash ends one as a quotation mark does. */
const ADDRESS = /(https?:\/\/[^\s"'<>\\/]{1,255})(\/[^\s"'<>\\?#]{0,2000})/gi;

/** Parts between the host and the paths of a site that an old address may have: `/Plone`, `/site/portal`. */
const MAX_PREFIX_PARTS = 2;

/** Old sites that are counted: texts may name any number of hosts. */
const MAX_ROOTS = 100;

/** Counts links of imported values to what may be the old site: hosts that have paths of the export. */
export interface OldAddresses {
  /** Counts those in the JSON of an object's values. */
  count(json: string): void;
  report(report: ImportReport): void;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    // A bare percent sign: the path is not encoded.
    if (error instanceof URIError) return path;
    throw error;
  }
}

/** @param own addresses of the new site, which are no old ones */
export function createOldAddresses({ byPath }: Pick<ImportPlan, 'byPath'>, own: readonly string[]): OldAddresses {
  const counts = new Map<string, number>();

  /** The root that the site has when a path of an address is one of the export. */
  const rootOf = (host: string, path: string): string | undefined => {
    const parts = decoded(path)
      .split('/')
      .filter((part) => part !== '');
    for (let cut = 0; cut <= MAX_PREFIX_PARTS && cut < parts.length; cut += 1) {
      const content = `/${parts.slice(cut).join('/')}`;
      if (content !== contentPath.ROOT && byPath.has(content)) return [host, ...parts.slice(0, cut)].join('/');
    }
    return undefined;
  };

  return {
    count(json) {
      for (const [, host = '', path = ''] of json.matchAll(ADDRESS)) {
        const root = rootOf(host, path);
        if (root === undefined || own.includes(root) || (counts.size >= MAX_ROOTS && !counts.has(root))) continue;
        counts.set(root, (counts.get(root) ?? 0) + 1);
      }
    },
    report(report) {
      for (const [root, count] of counts) {
        const links = count === 1 ? '1 link leads' : `${count} links lead`;
        report.add({
          reason: 'doubtful',
          message: `${links} to ${root}, with paths that the export has. If that is the old site, import with --site-root=${root} into a new site: they become links of the site.`,
        });
      }
    },
  };
}
