import { definePanel } from '../panel.ts';
import { flag, line } from './setting-forms.ts';

const nameProblem = (name: string): string | undefined =>
  /^@?[\w.-]+$/.test(name) ? undefined : 'Must be a name, not an address.';

/** What front ends tell social networks of the site. */
export const socialmediaPanel = definePanel({
  id: 'socialmedia',
  title: 'Social Media',
  group: 'General',
  settings: [
    flag('share_social_data', {
      title: 'Share social data',
      description:
        'Whether front ends describe pages for social networks. Where it is off, no name below is given away.',
      default: true,
    }),
    line('twitter_username', {
      title: 'Name on X (Twitter)',
      description: 'The account that pages are said to belong to.',
      default: '',
      maxLength: 100,
      problem: nameProblem,
    }),
    line('facebook_app_id', {
      title: 'Facebook app',
      description: 'The number of the app.',
      default: '',
      maxLength: 100,
      problem: (id) => (/^\d+$/.test(id) ? undefined : 'Must be a number.'),
    }),
    line('facebook_username', {
      title: 'Name on Facebook',
      description: 'The account that pages are said to belong to.',
      default: '',
      maxLength: 100,
      problem: nameProblem,
    }),
  ],
});
