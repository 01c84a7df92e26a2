import { definePanel, mailing, panelSettings, type Site, settings } from '#core';

/** Settings of proposals. */
export const proposalsPanel = definePanel({
  id: 'proposals',
  title: 'Proposals',
  group: 'Content',
  settings: [
    settings.whole('pending_per_user', {
      title: 'Pending proposals of a user',
      description: 'One more is refused until another one is decided.',
      default: 20,
      minimum: 0,
      maximum: 500,
      required: true,
      record: 'canopy.proposals.pending_per_user',
    }),
    settings.whole('days_pending', {
      title: 'Days that a proposal may wait',
      description: 'One that nobody has changed or decided for so long expires. 0 lets them wait for ever.',
      default: 90,
      minimum: 0,
      maximum: 36_500,
      required: true,
      record: 'canopy.proposals.days_pending',
    }),
    settings.whole('days_kept', {
      title: 'Days to keep decided proposals',
      description:
        'Older ones are removed. What they have changed stays, in the history and in the audit log too. 0 keeps them for ever.',
      default: 365,
      minimum: 0,
      maximum: 36_500,
      required: true,
      record: 'canopy.proposals.days_kept',
    }),
    settings.flag('self_approval', {
      title: 'Approve own proposals',
      description: 'By those who may do the writes themselves. Without it somebody else must approve.',
      default: true,
      record: 'canopy.proposals.self_approval',
    }),
    settings.flag('mail_reviewers', {
      title: 'Mail to reviewers',
      description: 'To the users, and to the members of the groups, that a new proposal names. Needs a mail server.',
      default: true,
      record: 'canopy.proposals.mail_reviewers',
    }),
    settings.flag('mail_preview', {
      title: 'Preview links in mails to reviewers',
      description:
        'Who has such a mail sees the pages of the proposal without a login for 7 days, or until it is decided. Only in mails to those who may do its writes.',
      default: true,
      record: 'canopy.proposals.mail_preview',
    }),
    settings.flag('mail_creators', {
      title: 'Mail to who has proposed',
      description: 'When a proposal is decided, or somebody comments on it. Needs a mail server.',
      default: true,
      record: 'canopy.proposals.mail_creators',
    }),
    settings.line('mail_to', {
      title: 'Address for new proposals',
      description: 'Gets a mail for each new proposal, with its title and address. Empty: no mail.',
      default: '',
      record: 'canopy.proposals.mail_to',
      problem: (address) => (mailing.isAddress(address) ? undefined : 'Is not an e-mail address.'),
    }),
  ],
});

/** The settings of a site for proposals. */
export const proposalSettings = (site: Site) => panelSettings(site, proposalsPanel);
