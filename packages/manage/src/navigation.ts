import type { Ability } from './lib/me.ts';
import { message } from './lib/say.ts';
import type { IconName } from './parts/icon.tsx';

export type Entry = {
  view: string;
  title: string;
  icon: IconName;
  group: 'site' | 'running' | 'own';
  /** What the user must be able to do; everybody who is logged in has the entry without it. */
  needs?: Ability;
};

/** The titles of the groups of the menu. */
export const GROUPS: Readonly<Record<Entry['group'], string>> = {
  site: message('Site'),
  running: message('Operation'),
  own: message('Your account'),
};

/** The menu. */
export const NAVIGATION: readonly Entry[] = [
  { view: '', title: message('Start'), icon: 'home', group: 'site' },
  { view: 'content', title: message('Content'), icon: 'content', group: 'site' },
  { view: 'preferences', title: message('Language and colours'), icon: 'settings', group: 'own' },
];
