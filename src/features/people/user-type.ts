import { type ContentType, type Field, type Kernel, resolveType, type Schema, type Site, sitePieces } from '#core';
import { Slot } from '#lib/slots';

const LINE = { type: 'string', factory: 'Text line (String)' };

/** The default fields of users (plone.restapi, recorded `userschema`). */
export const DEFAULT_USER_SCHEMA: Schema = {
  fieldsets: [
    {
      id: 'default',
      title: 'Default',
      fields: ['fullname', 'email', 'home_page', 'description', 'location', 'portrait'],
    },
  ],
  properties: {
    fullname: {
      ...LINE,
      title: 'Full Name',
      description: 'Enter full name, for example, John Smith.',
      maxLength: 1000,
    },
    email: {
      title: 'Email',
      description: 'We will use this address if you need to recover your password',
      type: 'string',
      factory: 'Email',
      widget: 'email',
    },
    home_page: {
      title: 'Home page',
      description: 'The URL for your external home page, if you have one.',
      type: 'string',
      factory: 'URL',
      widget: 'url',
      maxLength: 2000,
    },
    description: {
      title: 'Biography',
      description: 'A short overview of who you are and what you do.',
      type: 'string',
      factory: 'Text',
      widget: 'textarea',
      maxLength: 10_000,
    },
    location: {
      ...LINE,
      title: 'Location',
      description: 'Your location - either city and country - or in a company setting, where your office is located.',
      maxLength: 1000,
    },
    portrait: {
      title: 'Portrait',
      description: 'Your portrait photo.',
      type: 'object',
      factory: 'Image',
      widget: 'file',
    },
  },
  required: ['email'],
};

/** Fields that every user has, whatever the schema of the site: they are columns of the account. */
export const CORE_USER_FIELDS = ['fullname', 'email', 'portrait'] as const;

const CHOICE = { type: 'string', factory: 'Choice', description: '' };

/** The preferences of users (plone.app.users). `@userschema/preferences` describes them. */
const PREFERENCES: Schema = {
  fieldsets: [
    {
      id: 'default',
      title: 'Default',
      fields: ['language', 'timezone', 'wysiwyg_editor', 'ext_editor', 'visible_ids'],
    },
  ],
  properties: {
    language: {
      ...CHOICE,
      title: 'Language',
      vocabulary: { '@id': 'plone.app.vocabularies.AvailableContentLanguages' },
    },
    timezone: { ...CHOICE, title: 'Time zone', vocabulary: { '@id': 'plone.app.vocabularies.Timezones' } },
    wysiwyg_editor: { ...CHOICE, title: 'Editor', vocabulary: { '@id': 'plone.app.vocabularies.AvailableEditors' } },
    ext_editor: { type: 'boolean', factory: 'Yes/No', title: 'External editor', description: '' },
    visible_ids: { type: 'boolean', factory: 'Yes/No', title: 'Short names', description: '' },
  },
  required: [],
};

type UserTypes = WeakMap<Site, { users: ContentType; preferences: ContentType }>;

/** The user types of sites: a site is immutable, so each is made once. */
const USER_TYPES = new Slot<UserTypes>('user types');

const typeOf = (id: string, schema: Schema): ContentType =>
  resolveType(
    {
      ...schema,
      id,
      title: 'User',
      behaviors: [],
      global_allow: false,
      filter_content_types: true,
      allowed_content_types: [],
      workflow: null,
      layouts: [],
    },
    new Map(),
  );

function typesOf({ slots, fieldKinds }: Pick<Kernel, 'slots' | 'fieldKinds'>, site: Site) {
  const known = slots.get(USER_TYPES);
  const present = known.get(site);
  if (present) return present;
  const plain = typeOf('preferences', PREFERENCES);
  const preferences = sitePieces.withTerms(fieldKinds, new Map([[plain.id, plain]]), () => site).get(plain.id) ?? plain;
  const types = { users: typeOf('user', site.userSchema ?? DEFAULT_USER_SCHEMA), preferences };
  known.set(site, types);
  return types;
}

/** Fills the slot for the cached user types of a kernel. To be called once for each kernel. */
export function openUserTypes({ slots }: Kernel): void {
  slots.set(USER_TYPES, new WeakMap());
}

/** Returns the preferences of users, in the form of a content type. */
export const preferencesType = (kernel: Pick<Kernel, 'slots' | 'fieldKinds'>, site: Site): ContentType =>
  typesOf(kernel, site).preferences;

/** Returns the fields of users of a site, in the form of a content type. */
export const userType = (kernel: Pick<Kernel, 'slots' | 'fieldKinds'>, site: Site): ContentType =>
  typesOf(kernel, site).users;

/** Returns the fields whose values are stored as properties of the account, with the preferences. */
export function propertyFields(kernel: Pick<Kernel, 'slots' | 'fieldKinds'>, site: Site): Field[] {
  const { users, preferences } = typesOf(kernel, site);
  const own = users.fields.filter(({ name }) => !CORE_USER_FIELDS.some((core) => core === name));
  return [...own, ...preferences.fields.filter(({ name }) => !users.fieldByName.has(name))];
}
