import { editingPanel, imagingPanel, markupPanel } from './content.ts';
import { dateAndTimePanel, mailPanel, socialmediaPanel } from './general.ts';
import { languagePanel } from './languages.ts';
import { navigationPanel, searchPanel } from './navigation.ts';
import type { Panel } from './panel.ts';
import { publishingPanel } from './publishing.ts';
import { corsPanel, securityPanel, usergroupPanel } from './security.ts';
import { sitePanel, voltoPanel } from './site.ts';
import { uploadsPanel } from './uploads.ts';

/** The panels whose values features use, by their subjects. */
export {
  corsPanel as cors,
  dateAndTimePanel as dateAndTime,
  editingPanel as editing,
  languagePanel as language,
  mailPanel as mail,
  searchPanel as search,
  securityPanel as security,
  sitePanel as site,
  uploadsPanel as uploads,
  usergroupPanel as usergroup,
};

/** The control panels of the core, in the order of their groups. */
export const corePanels: readonly Panel[] = [
  dateAndTimePanel,
  languagePanel,
  mailPanel,
  navigationPanel,
  searchPanel,
  sitePanel,
  voltoPanel,
  socialmediaPanel,
  editingPanel,
  imagingPanel,
  markupPanel,
  publishingPanel,
  uploadsPanel,
  usergroupPanel,
  corsPanel,
  securityPanel,
];
