import { defineFeature } from '#core';
import { userCommands } from './command.ts';
import { passwordMails } from './compose-password-mails.ts';
import { userEvents, userSteps } from './events.ts';
import { groupsServices } from './groups.ts';
import { portraitServices } from './portrait.ts';
import { principalsServices } from './principals.ts';
import { rolesServices } from './roles.ts';
import { noteLogin } from './statements/accounts.ts';
import { openUserTypes } from './user-type.ts';
import { usersServices } from './users.ts';
import { userschemaServices } from './userschema.ts';

/** Users, groups and roles; registration, passwords and their mails. */
export const peopleFeature = defineFeature({
  name: 'people',
  commands: userCommands,
  services: [
    ...groupsServices,
    ...portraitServices,
    ...principalsServices,
    ...rolesServices,
    ...usersServices,
    ...userschemaServices,
  ],
  mails: passwordMails,
  events: userEvents,
  steps: userSteps,
  tables: [
    { name: 'account_login', changes: { unread: 'lists of users are never kept' }, key: ['account'] },
    {
      name: 'password_reset',
      changes: { unread: 'links in mails are in no response' },
      left: 'links that were mailed lead to the old site',
    },
  ],
  subscribe(kernel) {
    openUserTypes(kernel);
    kernel.events.on('user.loggedIn', ({ id }, { tx }) => noteLogin(tx, id, new Date()));
  },
});
