/** One object of the site with everything that its page shows and offers. */

import type { AnyContent } from '@canopy-server/client';
import type { Loaded } from '../lib/data.ts';
import { useData } from '../lib/data.ts';
import { site } from '../lib/site.ts';

type Action = { id: string; title: string };
type Transition = { '@id': string; title: string };
type TypeEntry = { '@id': string; id: string; title: string; addable: boolean; immediately_addable: boolean };

export type SiteObject = {
  path: string;
  content: AnyContent;
  breadcrumbs: readonly { '@id': string; title: string }[];
  /** The ids of the actions that the site offers the user on this object. */
  actions: ReadonlySet<string>;
  types: readonly TypeEntry[];
  state: { id: string; title: string } | undefined;
  transitions: readonly Transition[];
};

type Components = {
  actions: Record<string, Action[] | undefined>;
  breadcrumbs: { items: SiteObject['breadcrumbs'] };
  types: TypeEntry[];
  workflow: { state?: { id: string; title: string } | null; transitions?: Transition[] };
};

const isComponents = (value: unknown): value is Components =>
  typeof value === 'object' && value !== null && 'actions' in value && 'workflow' in value && 'types' in value;

async function loadObject(path: string, signal: AbortSignal): Promise<SiteObject> {
  const expand = ['actions', 'breadcrumbs', 'types', 'workflow'];
  const content = await site().at(encodedPath(path)).get({ expand, items: false, signal });
  const parts: unknown = content['@components'];
  if (!isComponents(parts)) throw new Error('The site did not send the parts of the object');
  const { actions, breadcrumbs, types, workflow } = parts;
  return {
    path,
    content,
    breadcrumbs: breadcrumbs.items,
    actions: new Set([...(actions.object ?? []), ...(actions.object_buttons ?? [])].map(({ id }) => id)),
    types: Array.isArray(types) ? types.filter(({ addable }) => addable) : [],
    state: workflow.state?.id ? workflow.state : undefined,
    transitions: workflow.transitions ?? [],
  };
}

/** A path as it stands in addresses. */
const encodedPath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** The place of an object, for requests to it. */
export const placeOf = (path: string) => site().at(encodedPath(path));

export const useObject = (path: string): Loaded<SiteObject> =>
  useData(`object ${path}`, (signal) => loadObject(path, signal));
