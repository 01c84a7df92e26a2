import type { Ability } from './lib/me.ts';
import { message } from './lib/say.ts';
import type { IconName } from './parts/icon.tsx';

type GroupName = 'site' | 'people' | 'setup' | 'running' | 'own';

export type Entry = {
  view: string;
  title: string;
  icon: IconName;
  group: GroupName;
  /** The ability that the entry needs; without one everybody who is logged in has it. */
  needs?: Ability;
  /** A page that others lead to, and the menu does not have. */
  isHidden?: boolean;
};

/** The groups of the menu in their order, with their titles. */
export const GROUPS: readonly (readonly [GroupName, string])[] = [
  ['site', message('Site')],
  ['running', message('Operation')],
  ['people', message('People and rights')],
  ['setup', message('Set-up')],
  ['own', message('Your account')],
];

/** The menu. */
export const NAVIGATION: readonly Entry[] = [
  { view: '', title: message('Start'), icon: 'home', group: 'site' },
  { view: 'content', title: message('Content'), icon: 'content', group: 'site' },
  { view: 'proposals', title: message('Proposals'), icon: 'check', group: 'site' },
  { view: 'releases', title: message('Releases'), icon: 'out', group: 'site', needs: 'releases' },
  { view: 'comments', title: message('Comments'), icon: 'audit', group: 'site', needs: 'comments' },
  { view: 'bin', title: message('Bin'), icon: 'bin', group: 'site' },
  { view: 'undo', title: message('Undo'), icon: 'back', group: 'site', needs: 'changes' },
  { view: 'overview', title: message('Overview'), icon: 'audit', group: 'running', needs: 'settings' },
  { view: 'jobs', title: message('Jobs'), icon: 'jobs', group: 'running' },
  { view: 'schedule', title: message('Schedule'), icon: 'jobs', group: 'running', needs: 'portal' },
  { view: 'webhooks', title: message('Webhooks'), icon: 'webhooks', group: 'running', needs: 'portal' },
  { view: 'caches', title: message('Caches'), icon: 'groups', group: 'running', needs: 'portal' },
  { view: 'audit', title: message('Audit log'), icon: 'audit', group: 'running', needs: 'audit' },
  { view: 'upgrade', title: message('Upgrade'), icon: 'plus', group: 'running', needs: 'portal' },
  { view: 'imports', title: message('Import'), icon: 'content', group: 'running', needs: 'portal' },
  { view: 'exports', title: message('Export'), icon: 'out', group: 'running', needs: 'portal' },
  { view: 'users', title: message('Users'), icon: 'users', group: 'people', needs: 'people' },
  { view: 'groups', title: message('Groups'), icon: 'groups', group: 'people', needs: 'people' },
  { view: 'roles', title: message('Roles'), icon: 'person', group: 'people', needs: 'portal' },
  {
    ...{ view: 'permissions', title: message('What roles may do'), icon: 'check', group: 'people' },
    ...{ needs: 'portal', isHidden: true },
  },
  { view: 'providers', title: message('Login providers'), icon: 'key', group: 'people', needs: 'portal' },
  { view: 'settings', title: message('Settings'), icon: 'settings', group: 'setup', needs: 'settings' },
  { view: 'types', title: message('Types'), icon: 'file', group: 'setup', needs: 'portal' },
  { view: 'workflows', title: message('Workflows'), icon: 'right', group: 'setup', needs: 'portal' },
  { view: 'rules', title: message('Rules'), icon: 'webhooks', group: 'setup', needs: 'portal' },
  { view: 'aliases', title: message('Old addresses'), icon: 'out', group: 'setup', needs: 'portal' },
  { view: 'addons', title: message('Add-ons'), icon: 'plus', group: 'setup', needs: 'portal' },
  { view: 'profile', title: message('Profile'), icon: 'person', group: 'own' },
  { view: 'security', title: message('Second factor and sessions'), icon: 'key', group: 'own' },
  { view: 'tokens', title: message('Access tokens'), icon: 'key', group: 'own', needs: 'tokens' },
  { view: 'preferences', title: message('Language and colours'), icon: 'settings', group: 'own' },
];
