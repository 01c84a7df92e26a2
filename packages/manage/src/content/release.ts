/** Releases as the site has them. */

import { message } from '../lib/say.ts';
import type { States } from '../parts/state-badge.tsx';

export type ReleaseEntry = {
  id: string;
  title: string;
  description: string;
  state: string;
  creator: string | null;
  created: string;
  changed: string;
  at: string | null;
  published: string | null;
  problem: { message: string } | null;
};

type ReleasePart = {
  number: number;
  method: string;
  path: string;
  targets: { path: string; title?: string }[];
  author: string | null;
  out_of_date: boolean;
};

export type Release = ReleaseEntry & { parts: ReleasePart[] };

export const RELEASE_STATES: States = {
  draft: { title: message('Draft'), kind: 'info' },
  scheduled: { title: message('Waits for its time'), kind: 'info' },
  failed: { title: message('Failed'), kind: 'bad' },
  published: { title: message('Published'), kind: 'good' },
  undone: { title: message('Undone'), kind: 'plain' },
};

/** The service of a release. */
export const releaseAt = (id: string, ...rest: readonly (string | number)[]): string =>
  ['@releases', encodeURIComponent(id), ...rest].join('/');
