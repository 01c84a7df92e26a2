import { createHash } from 'node:crypto';
import { type Caller, callers } from '#core';

/** The rights of a reader of the feed. */
export type Viewer = {
  /** All tokens that it has anywhere: content that none of them may see is hidden from it. */
  principals: readonly string[];
  /** A digest of all its rights: two viewers with one print see the same. */
  print: string;
  /** Says if it sees content at a path with these viewers. */
  sees(viewers: readonly string[] | null, path: string | null): boolean;
};

const PRINT_BYTES = 8;

const printOf = (rights: unknown): string =>
  createHash('sha256').update(JSON.stringify(rights)).digest().subarray(0, PRINT_BYTES).toString('hex');

/** Makes the viewer of a caller. Rights that a caller has only in some subtrees count only there. */
export function viewerOf(caller: Caller): Viewer {
  const { within, principals } = caller;
  if (!within) {
    const tokens = new Set(principals);
    return {
      principals,
      print: printOf([...principals].sort()),
      sees: (viewers, path) => viewers !== null && path !== null && viewers.some((one) => tokens.has(one)),
    };
  }
  const all = [...new Set([...principals, ...within.caller.principals])];
  return {
    principals: all,
    print: printOf([[...all].sort(), within.paths, within.views ?? null]),
    sees(viewers, path) {
      if (viewers === null || path === null) return false;
      const here = new Set(callers.at(caller, path).principals);
      return viewers.some((one) => here.has(one));
    },
  };
}
