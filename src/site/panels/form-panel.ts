import { definePanel } from '../panel.ts';
import { lines } from './setting-forms.ts';

/** The mails that forms send. */
export const formPanel = definePanel({
  id: 'form',
  title: 'Form',
  group: 'General',
  settings: [
    lines('mail_template', {
      title: 'Template of mails',
      description:
        'HTML of the mails that forms send. It may name title, lang, header, fields, admin_info and footer, each in braces behind a dollar sign.',
      default: '',
      record: 'canopy.form.mail_template',
    }),
  ],
});
