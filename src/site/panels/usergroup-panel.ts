import { definePanel } from '../panel.ts';
import { flag } from './setting-forms.ts';

/** How many people there are. */
export const usergroupPanel = definePanel({
  id: 'usergroup',
  title: 'User and Group Settings',
  group: 'Users',
  settings: [
    flag('many_users', {
      title: 'Many users?',
      description: 'Lists of users come in small parts, and front ends let people search instead.',
      default: false,
    }),
    flag('many_groups', {
      title: 'Many groups?',
      description: 'Lists of groups come in small parts, and front ends let people search instead.',
      default: false,
    }),
  ],
});
