import type { Ability } from './lib/me.ts';
import { message } from './lib/say.ts';
import type { IconName } from './parts/icon.tsx';

export type Entry = {
  view: string;
  title: string;
  icon: IconName;
  group: 'site' | 'running' | 'own';
  /** The ability that the entry needs; without one everybody who is logged in has it. */
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
  { view: 'bin', title: message('Bin'), icon: 'bin', group: 'site' },
  { view: 'overview', title: message('Overview'), icon: 'audit', group: 'running', needs: 'settings' },
  { view: 'users', title: message('Users'), icon: 'users', group: 'running', needs: 'people' },
  { view: 'groups', title: message('Groups'), icon: 'groups', group: 'running', needs: 'people' },
  { view: 'settings', title: message('Settings'), icon: 'settings', group: 'running', needs: 'settings' },
  { view: 'jobs', title: message('Jobs'), icon: 'jobs', group: 'running' },
  { view: 'webhooks', title: message('Webhooks'), icon: 'webhooks', group: 'running', needs: 'portal' },
  { view: 'audit', title: message('Audit log'), icon: 'audit', group: 'running', needs: 'audit' },
  { view: 'profile', title: message('Profile'), icon: 'person', group: 'own' },
  { view: 'tokens', title: message('Access tokens'), icon: 'key', group: 'own', needs: 'tokens' },
  { view: 'preferences', title: message('Language and colours'), icon: 'settings', group: 'own' },
];
