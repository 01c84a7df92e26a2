/** The user of the page, and what this user may do on the site as a whole. */

import { type Loaded, useData } from './data.ts';
import { ask, ownId, signedIn } from './site.ts';
import { useStore } from './store.ts';

/** Abilities by the permission that the services behind them need. */
const PERMISSIONS = {
  settings: 'Overview control panel',
  portal: 'cmf.ManagePortal',
  people: 'Manage users',
  audit: 'Canopy: View audit log',
  tokens: 'Canopy: Make access tokens',
  changes: 'List undoable changes',
  undo: 'Undo changes',
  comments: 'Review comments',
  releases: 'canopy: Make releases',
  publishing: 'canopy: Publish releases',
} as const;

export type Ability = keyof typeof PERMISSIONS;

type Person = {
  '@id': string;
  id: string;
  username: string;
  fullname: string | null;
  email: string | null;
  roles: string[];
  [field: string]: unknown;
};

/** A page that an add-on brings. */
type AddonPage = { name: string; title: string };

export type Me = {
  id: string;
  person: Person;
  title: string;
  may: Readonly<Record<Ability, boolean>>;
  pages: readonly AddonPage[];
};

async function loadMe(id: string, signal: AbortSignal): Promise<Me> {
  const names = Object.entries(PERMISSIONS);
  const [person, pages, ...decisions] = await Promise.all([
    ask<Person>('GET', `@users/${encodeURIComponent(id)}`, { signal }),
    ask<AddonPage[]>('GET', '@manage-pages', { signal }),
    ...names.map(([, permission]) =>
      ask<{ allowed: boolean }>('GET', '@explain-access', { signal, query: { permission } }),
    ),
  ]);
  const may: Record<Ability, boolean> = {
    ...{ settings: false, portal: false, people: false, audit: false },
    ...{ tokens: false, changes: false, undo: false, comments: false, releases: false, publishing: false },
  };
  for (const [index, [name]] of names.entries()) if (isAbility(name)) may[name] = decisions[index]?.allowed ?? false;
  return { id, person, title: person.fullname || person.username, may, pages };
}

const isAbility = (name: string): name is Ability => Object.hasOwn(PERMISSIONS, name);

/** Loads the user; `data` is undefined for a visitor. */
export function useMe(): Loaded<Me | undefined> {
  const isSignedIn = useStore(signedIn);
  const id = isSignedIn ? ownId() : undefined;
  return useData(`me ${id ?? ''}`, async (signal) => (id === undefined ? undefined : loadMe(id, signal)));
}
