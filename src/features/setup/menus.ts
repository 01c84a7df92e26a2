import { type Static, Type } from 'typebox';
import {
  configuration,
  coreComponents,
  created,
  defineService,
  MANAGE_PORTAL,
  noContent,
  ok,
  type Service,
  type Site,
  schemas,
  sitePieces,
} from '#core';
import { BadRequest, NotFound } from '#lib/errors';
import { changeSetup, rowWith, type SetupChange } from './change-setup.ts';
import { rejectField, requireForm } from './check-data.ts';

const MAX_ACTIONS = 100;
const MAX_CATEGORIES = 50;
const ID = /^[A-Za-z][A-Za-z0-9._-]{0,99}$/;
/** The menus of every site, which clients expect even without entries (docs/profiles.md, Actions). */
const STANDARD = new Set(['object', 'object_buttons', 'user', 'site_actions', 'portal_tabs', 'document_actions']);
/** The possible beginnings of an entry's address: a part of the site, a path, or another site. */
const URL_FORM = /^(?:\$\{(?:object_url|navigation_root_url|portal_url)\}|\/|https?:\/\/|mailto:|#)/;

const SETTINGS = {
  title: schemas.Text({ description: 'What the menu shows.', minLength: 1, maxLength: 200 }),
  url: Type.Optional(
    schemas.Nullable(schemas.Text({ maxLength: 2000 }), {
      description: 'Where it leads: an address, or a placeholder for one with a path behind it.',
    }),
  ),
  icon: Type.Optional(schemas.Nullable(schemas.Text({ maxLength: 200 }), { description: 'The name of an icon.' })),
  permission: Type.Optional(
    schemas.Nullable(schemas.Text({ maxLength: 200 }), { description: 'Who lacks it is not offered the entry.' }),
  ),
  condition: Type.Optional(
    schemas.Nullable(schemas.Text({ maxLength: 100 }), {
      description: 'Where it does not hold the entry is not offered.',
    }),
  ),
};
const NewAction = Type.Object(
  { id: schemas.Text({ description: 'Its id in the category, which stays.' }), ...SETTINGS },
  { additionalProperties: false },
);
const Entry = Type.Object({
  id: Type.String(),
  ...{ title: Type.String(), url: Type.Optional(Type.String()), icon: Type.Optional(Type.String()) },
  ...{ permission: Type.Optional(Type.String()), condition: Type.Optional(Type.String()) },
});

/** The entries of a category as they are stored. Throws NotFound. */
function requireCategory({ actions }: Pick<Site, 'actions'>, category: string) {
  const entries = actions.get(category);
  if (!entries) throw new NotFound(`/@actions/${category}`);
  return entries;
}

/** The settings of an entry that may be absent. */
const OPTIONAL = ['url', 'icon', 'permission', 'condition'] as const;

type Entry = Static<typeof Entry>;
type SentEntry = { title?: string } & { [Name in (typeof OPTIONAL)[number]]?: string | null };

/**
 * Merges sent members into an entry; null removes a member. Throws ValidationFailed for sent names that the site does not have; stored members may
 * name things that are gone.
 */
function checked({ kernel, site }: SetupChange, entry: Entry, sent: SentEntry): Entry {
  const action: Entry = { id: entry.id, title: sent.title ?? entry.title };
  for (const name of OPTIONAL) {
    const value = sent[name] === undefined ? entry[name] : sent[name];
    if (value !== undefined && value !== null) action[name] = value;
  }
  requireForm(configuration.KINDS.action, [action]);
  const { url, permission, condition } = sent;
  if (typeof url === 'string' && !URL_FORM.test(url))
    rejectField(
      'url',
      'Must be an address of a site, a path, or a placeholder of those that the menus have, with a path behind it.',
    );
  if (typeof permission === 'string' && !sitePieces.knownPermissions(site).includes(permission))
    rejectField('permission', 'There is no such permission.');
  const conditions = kernel.slots.get(coreComponents.ACTION_CONDITIONS);
  if (typeof condition === 'string' && !conditions.has(condition))
    rejectField('condition', `Must be one of: ${[...conditions.keys()].join(', ')}.`);
  return action;
}

/** GET `@actions/<category>`: the stored entries of a menu, including entries that the caller is not offered. */
const getCategory = defineService({
  name: '@actions',
  method: 'GET',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'The entries of a menu as they are stored, whether they are offered or not.',
  rest: ['{category}'],
  responses: {
    200: { description: 'The entries in their order.', schema: Type.Array(Entry) },
    404: { description: 'There is no such category.' },
  },
  run: async ({ lookup: { site }, params }) => ok(requireCategory(site, params.category)),
});

/** POST `@actions/<category>`: adds an entry at the end of a menu, and makes the menu when it does not exist. */
const postAction = defineService({
  name: '@actions',
  method: 'POST',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Adds an entry at the end of a menu; an unknown category is made.',
  rest: ['{category}'],
  body: NewAction,
  responses: { 201: { description: 'The entry.', schema: Entry }, 400: { description: 'A problem for each setting.' } },
  async run({ kernel, caller, params: { category }, body }) {
    const { id, title } = body;
    let action: Entry = { id, title };
    await changeSetup(kernel, { caller }, (change) => {
      const entries = change.site.actions.get(category) ?? [];
      if (!ID.test(category))
        throw new BadRequest('A category has up to 100 letters, digits, ".", "_" and "-" and begins with a letter.');
      if (!ID.test(id))
        rejectField('id', 'An id has up to 100 letters, digits, ".", "_" and "-" and begins with a letter.');
      if (entries.some((entry) => entry.id === id)) rejectField('id', 'The menu has an entry of this id already.');
      if (
        entries.length >= MAX_ACTIONS ||
        (!change.site.actions.has(category) && change.site.actions.size >= MAX_CATEGORIES)
      )
        throw new BadRequest(`There are at most ${MAX_CATEGORIES} menus with ${MAX_ACTIONS} entries.`);
      action = checked(change, action, body);
      return { write: [rowWith(change, { kind: configuration.KINDS.action, id: category }, [...entries, action])] };
    });
    return created(action);
  },
});

/** PATCH `@actions/<category>`: reorders the entries of a menu. */
const orderActions = defineService({
  name: '@actions',
  method: 'PATCH',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Puts the entries of a menu in another order.',
  rest: ['{category}'],
  body: Type.Object(
    { order: Type.Array(schemas.Text({ maxLength: 200 }), { description: 'The ids of all entries.' }) },
    { additionalProperties: false },
  ),
  responses: {
    204: { description: 'Ordered.' },
    400: { description: 'The ids are not those of the entries.' },
    404: { description: 'There is no such category.' },
  },
  async run({ kernel, caller, params: { category }, body: { order } }) {
    await changeSetup(kernel, { caller }, (change) => {
      const entries = requireCategory(change.site, category);
      const byId = new Map(entries.map((entry) => [entry.id, entry]));
      const ordered = [...new Set(order)].flatMap((id) => byId.get(id) ?? []);
      if (order.length !== entries.length || ordered.length !== entries.length)
        rejectField('order', `Must have each of these ids once: ${entries.map(({ id }) => id).join(', ')}.`);
      return { write: [rowWith(change, { kind: configuration.KINDS.action, id: category }, ordered)] };
    });
    return noContent();
  },
});

/** Returns the entries of a menu, and one entry with its place. Throws NotFound. */
function requireEntry(change: SetupChange, category: string, id: string) {
  const entries = requireCategory(change.site, category);
  const at = entries.findIndex((one) => one.id === id);
  const entry = entries[at];
  if (!entry) throw new NotFound(`/@actions/${category}/${id}`);
  return { entries, at, entry };
}

/** PATCH `@actions/<category>/<action>`: changes an entry. */
const patchAction = defineService({
  name: '@actions',
  method: 'PATCH',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Changes an entry of a menu; null takes a setting away.',
  rest: ['{category}/{action}'],
  body: schemas.Changes(Type.Object(SETTINGS), { additionalProperties: false }),
  responses: {
    204: { description: 'Changed.' },
    400: { description: 'A problem for each setting.' },
    404: { description: 'There is no such entry.' },
  },
  async run({ kernel, caller, params: { category, action }, body }) {
    await changeSetup(kernel, { caller }, (change) => {
      const { entries, at, entry } = requireEntry(change, category, action);
      const changed = checked(change, entry, body);
      return {
        write: [rowWith(change, { kind: configuration.KINDS.action, id: category }, entries.with(at, changed))],
      };
    });
    return noContent();
  },
});

/** DELETE `@actions/<category>/<action>`: removes an entry, and with its last entry also the menu unless every site has it. */
const deleteAction = defineService({
  name: '@actions',
  method: 'DELETE',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Removes an entry of a menu; a category that was made goes with its last entry.',
  rest: ['{category}/{action}'],
  responses: { 204: { description: 'Removed.' }, 404: { description: 'There is no such entry.' } },
  async run({ kernel, caller, params: { category, action } }) {
    await changeSetup(kernel, { caller }, (change) => {
      const { entries, entry } = requireEntry(change, category, action);
      const piece = { kind: configuration.KINDS.action, id: category };
      const data = entries.filter((one) => one !== entry);
      if (data.length === 0 && !STANDARD.has(category)) return { remove: [piece] };
      return { write: [rowWith(change, piece, data)] };
    });
    return noContent();
  },
});

/** The entries of menus (`@actions`). */
export const menuServices: Service[] = [getCategory, postAction, orderActions, patchAction, deleteAction];
