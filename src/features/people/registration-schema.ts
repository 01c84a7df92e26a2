import type { Site } from '../../site/site.ts';
import type { Property } from '../../types/definition.ts';
import { emailAsLogin } from './email-as-login.ts';
import { userType } from './user-type.ts';

const LINE = 'Text line (String)';

const OWN: Record<string, Property> = {
  username: {
    title: 'User Name',
    description:
      "Enter a user name, usually something like 'jsmith'. No spaces or special characters. This is the name used to log in.",
    type: 'string',
    factory: LINE,
  },
  password: {
    title: 'Password',
    description: 'Enter your new password.',
    type: 'string',
    factory: 'Password',
    widget: 'password',
  },
  password_ctl: {
    title: 'Confirm password',
    description: 'Re-enter the password. Make sure the passwords are identical.',
    type: 'string',
    factory: 'Password',
    widget: 'password',
  },
  mail_me: {
    title: 'Send a confirmation mail with a link to set the password',
    description: '',
    type: 'boolean',
    factory: 'Yes/No',
    default: false,
  },
};

/**
 * The form in which people register: name, address, what is required of users besides, user name (unless users log in
 * with their address) and password (plone.restapi, recorded `userschema_registration`).
 */
export function registrationSchema(site: Site): {
  fields: string[];
  properties: Record<string, Property>;
  required: string[];
} {
  const { properties, required } = userType(site);
  const more = required.filter((name) => name !== 'fullname' && name !== 'email');
  const own = Object.keys(OWN).filter((name) => name !== 'username' || !emailAsLogin(site));
  const fields = ['fullname', 'email', ...more, ...own];
  return {
    fields,
    properties: Object.fromEntries(
      fields.flatMap((name) => {
        const property = OWN[name] ?? properties[name];
        return property ? [[name, property]] : [];
      }),
    ),
    required: [...new Set(['email', ...required, ...own.filter((name) => name !== 'mail_me')])],
  };
}
