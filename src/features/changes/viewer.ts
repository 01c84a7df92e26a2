import { createHash } from 'node:crypto';
import { type Caller, callers } from '#core';

/** A reader of the feed, as far as it matters to what it sees. */
export type Viewer = {
  /** Tokens that it has somewhere: what none of them may see it never sees. */
  principals: readonly string[];
  /** A digest of all its rights: two viewers with one print see the same. */
  print: string;
  /** Says if it sees what is at a path and has these viewers. */
  sees(viewers: readonly string[] | null, path: string | null): boolean;
};

const PRINT_BYTES = 8;

const printOf = (rights: unknown): string =>
  createHash('sha256').update(JSON.stringify(rights)).digest().subarray(0, PRINT_BYTES).toString('hex');

/** Makes the viewer of a caller. Rights that a caller has in some subtrees only count there. */
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
