import { defineFeature } from '../../services/feature.ts';
import { groupsServices } from './groups/services.ts';
import { peopleVocabularies } from './people-vocabularies.ts';
import { portraitServices } from './portrait/services.ts';
import { principalsServices } from './principals/services.ts';
import { rolesServices } from './roles/services.ts';
import { startMailer } from './start-mailer.ts';
import { usersServices } from './users/services.ts';
import { userschemaServices } from './userschema/services.ts';

/** Users, groups and roles; registration, passwords and their mails. */
export const peopleFeature = defineFeature({
  name: 'people',
  services: [
    ...groupsServices,
    ...portraitServices,
    ...principalsServices,
    ...rolesServices,
    ...usersServices,
    ...userschemaServices,
  ],
  vocabularies: peopleVocabularies,
  start: startMailer,
});
