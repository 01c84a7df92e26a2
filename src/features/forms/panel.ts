import { definePanel, settings } from '#core';

/** Settings of form blocks: the mails, and the limits of one visitor. */
export const formPanel = definePanel({
  id: 'form',
  title: 'Form',
  group: 'General',
  settings: [
    settings.lines('mail_template', {
      title: 'Template of mails',
      description:
        'HTML of the mails that forms send. It may name title, lang, header, fields, admin_info and footer, each in braces behind a dollar sign.',
      default: '',
      record: 'canopy.form.mail_template',
    }),
    settings.whole('submissions_per_hour', {
      title: 'Submissions per hour',
      description: 'So many times an hour a form of one page can be sent from one network.',
      default: 200,
      minimum: 1,
      maximum: 1_000_000,
      required: true,
      record: 'canopy.form.submissions_per_hour',
    }),
    settings.whole('attachments_limit', {
      title: 'Size of attachments',
      description: 'Megabytes that the files of one submission may have together.',
      default: 10,
      minimum: 1,
      maximum: 10,
      required: true,
      record: 'canopy.form.attachments_limit',
    }),
  ],
});
