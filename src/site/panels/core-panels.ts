import type { Panel } from '../panel.ts';
import { corsPanel } from './cors-panel.ts';
import { dateAndTimePanel } from './date-and-time-panel.ts';
import { editingPanel } from './editing-panel.ts';
import { formPanel } from './form-panel.ts';
import { imagingPanel } from './imaging-panel.ts';
import { languagePanel } from './language-panel.ts';
import { mailPanel } from './mail-panel.ts';
import { markupPanel } from './markup-panel.ts';
import { navigationPanel } from './navigation-panel.ts';
import { searchPanel } from './search-panel.ts';
import { securityPanel } from './security-panel.ts';
import { sitePanel } from './site-panel.ts';
import { socialmediaPanel } from './socialmedia-panel.ts';
import { usergroupPanel } from './usergroup-panel.ts';

/** The control panels of the core, in the order of their groups. */
export const corePanels: readonly Panel[] = [
  dateAndTimePanel,
  formPanel,
  languagePanel,
  mailPanel,
  navigationPanel,
  searchPanel,
  sitePanel,
  socialmediaPanel,
  editingPanel,
  imagingPanel,
  markupPanel,
  usergroupPanel,
  corsPanel,
  securityPanel,
];
