import { definePanel } from '../panel.ts';
import { choice, flag, list, plainChoices, textsOf } from './setting-forms.ts';

/** How content is edited. */
export const editingPanel = definePanel({
  id: 'editing',
  title: 'Editing',
  group: 'Content',
  settings: [
    list('available_editors', {
      title: 'Available editors',
      description: 'Editors of formatted text that front ends have.',
      default: ['TinyMCE', 'None'],
    }),
    choice('default_editor', {
      title: 'Default editor',
      description: 'The editor that the schemas of content types name for formatted text.',
      default: 'TinyMCE',
      choices: (_site, values) => plainChoices(textsOf(values.available_editors)),
    }),
    flag('enable_link_integrity_checks', {
      title: 'Check links before deleting',
      description: 'Whether editors are told what links to content that they delete.',
      default: true,
    }),
    flag('lock_on_ttw_edit', {
      title: 'Lock content while it is edited',
      description: 'Off: nobody can take a lock. Locks that are held stay until they are released or run out.',
      default: true,
    }),
  ],
  check: ({ available_editors: available, default_editor: chosen }) =>
    textsOf(available).includes(String(chosen))
      ? []
      : [{ field: 'default_editor', message: 'Must be one of the available editors.' }],
});
