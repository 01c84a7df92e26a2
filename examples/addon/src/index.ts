import { defineFeature } from 'canopy-server';
import { badges } from './authenticator.ts';
import { stepBlock } from './block.ts';
import { countCommand } from './command.ts';
import { ratingComponent } from './component.ts';
import { cutJob, cutStep } from './cut-ratings.ts';
import { RATE, ratingServices } from './endpoints.ts';
import { effortKind } from './field-kind.ts';
import { fourEyes } from './guard.ts';
import { effortIndex } from './index-of-effort.ts';
import { forgetJob, forgetSchedule } from './job.ts';
import { ratingsPage } from './manage-page.ts';
import { panel } from './panel.ts';
import { forgetAction } from './rule-action.ts';
import { effortCondition } from './rule-condition.ts';
import { subscribe } from './subscriber.ts';
import { suggestionServices } from './suggestions.ts';
import { efforts } from './vocabulary.ts';

/** Stars that readers give to content, with an average; and a content type that has them. */
export default defineFeature({
  name: 'canopy-addon-example',
  services: [...ratingServices, ...suggestionServices],
  components: [ratingComponent],
  panels: [panel],
  managePages: [ratingsPage],
  blocks: [stepBlock],
  vocabularies: [efforts],
  fieldKinds: [effortKind],
  indexes: [effortIndex],
  jobActions: [forgetJob, cutJob],
  schedules: [forgetSchedule],
  upgradeSteps: [cutStep],
  ruleConditions: [effortCondition],
  ruleActions: [forgetAction],
  guardConditions: [fourEyes],
  commands: [countCommand],
  authenticators: [badges],
  permissions: { [RATE]: ['Authenticated', 'Manager'] },
  migrations: new URL('../migrations/', import.meta.url),
  tables: [{ name: 'example_rating', changes: { object: 'oid' }, key: ['oid', 'account'], content: 'oid' }],
  messages: new URL('../messages/', import.meta.url),
  profile: { folder: new URL('../profile/', import.meta.url), autoInstall: true },
  subscribe,
});
