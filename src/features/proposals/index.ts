import { defineFeature, permissions } from '#core';
import { decisionServices } from './decisions.ts';
import { proposalServices } from './endpoints.ts';
import { proposalEvents } from './events.ts';
import { startTidying, tidyProposalsAction } from './expiry.ts';
import { linkServices } from './links.ts';
import { proposalMails } from './mail.ts';
import { proposalsPanel } from './panel.ts';
import { getPreview } from './preview.ts';

const LEFT = 'they wait for people of the old site, who decide there';
const UNREAD = { unread: 'proposals are never kept' } as const;

/** Writes that somebody hands in and somebody else approves (`@proposals`). */
export const proposalsFeature = defineFeature({
  name: 'proposals',
  services: [...proposalServices, ...decisionServices, ...linkServices, getPreview],
  panels: [proposalsPanel],
  events: proposalEvents,
  mails: proposalMails,
  tables: [
    { name: 'proposal', changes: UNREAD, left: LEFT },
    { name: 'proposal_target', changes: UNREAD, left: 'it belongs to the proposals' },
    { name: 'proposal_reviewer', changes: UNREAD, left: 'it belongs to the proposals' },
    { name: 'proposal_link', changes: UNREAD, left: 'it belongs to the proposals' },
    { name: 'proposal_comment', changes: UNREAD, left: 'it belongs to the proposals' },
  ],
  jobActions: [tidyProposalsAction],
  permissions: {
    // Not Members: on sites where anybody can register everybody is one, and each proposal asks people to read it.
    [permissions.PROPOSE]: ['Owner', 'Reader', 'Contributor', 'Editor', 'Reviewer', 'Site Administrator', 'Manager'],
  },
  start: startTidying,
});
