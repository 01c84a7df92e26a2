import type { SiteTable } from '../core/kernel/site-tables.ts';

/** The tables of the core, with their treatment in an export of the site. */
export const coreTables: readonly SiteTable[] = [
  {
    name: 'content',
    changes: { noted: 'it tells lists of children and groups of translations as well' },
    // Containers come before their content.
    key: ['path'],
    content: 'oid',
    otherContent: ['parent'],
    emptied: { lock: 'who was editing is not editing on the new site' },
    values: ['fields'],
    fields: ['blocks', 'blocks_layout', 'text'],
  },
  { name: 'reference', changes: { object: 'source' }, key: ['source', 'position'], content: 'source' },
  { name: 'redirect', changes: { object: 'target' }, key: ['path'], content: 'target', address: 'path' },
  { name: 'workflow_history', changes: { object: 'content' }, key: ['id'], content: 'content', numbered: ['id'] },
  { name: 'configuration', changes: 'anything', key: ['kind', 'id'], values: ['data'] },
  {
    name: 'installed_profile',
    changes: { unread: 'upgrades alone compare with it' },
    key: ['kind', 'id'],
    values: ['data'],
  },
  {
    name: 'imported_setup',
    changes: { unread: 'imports of a set-up alone compare with it' },
    key: ['kind', 'id'],
    values: ['data'],
  },
  { name: 'site_state', changes: 'anything', key: ['name'] },
  { name: 'account', changes: 'anything', key: ['id'] },
  { name: 'principal_group', changes: 'anything', key: ['id'] },
  { name: 'group_member', changes: 'anything', key: ['group_id', 'member_id', 'is_group'] },
  {
    name: 'file_text',
    changes: { noted: 'a file that is new has no text yet, and searches alone show texts' },
    key: ['hash'],
  },
  {
    name: 'catalog',
    changes: { noted: 'it tells lists of children as well' },
    left: 'the import makes it of the content',
  },
  { name: 'catalog_value', changes: { object: 'oid' }, left: 'the import makes it of the content' },
  {
    name: 'issued_token',
    changes: { noted: 'a token that is new is in no response' },
    left: 'who is logged in at the old site is not at the new one',
  },
  { name: 'signing_key', changes: 'anything', left: 'tokens of the old site must not open the new one' },
  {
    name: 'secret_key',
    changes: { unread: 'secrets are in no response that is kept' },
    left: 'each site encrypts its secrets with a key of its own',
  },
  {
    name: 'login_failure',
    changes: { unread: 'who logs in gets a response of their own' },
    left: 'it counts attempts within minutes',
  },
  {
    name: 'kept_response',
    changes: { unread: 'it has responses to writes' },
    left: 'clients that send a write again send it to the old site',
  },
  {
    name: 'asked_addresses',
    changes: { unread: 'the start of a process alone reads it' },
    left: 'visitors of the old site have asked for its addresses',
    local: true,
  },
  {
    name: 'visitor_request',
    changes: { unread: 'it counts requests that write' },
    left: 'it counts requests within hours',
  },
  {
    name: 'queue_item',
    changes: { unread: 'work that waits is in no cached response' },
    left: 'the old site sends its mails and requests itself',
  },
  {
    name: 'site_change',
    changes: { unread: 'it is what tells of changes' },
    left: 'it tells processes of one server what has changed',
    local: true,
  },
  {
    name: 'write_lease',
    changes: { unread: 'it is a part of the change feed' },
    left: 'it belongs to a process of one server',
    local: true,
  },
  {
    name: 'schema_migration',
    changes: { unread: 'the start alone reads it' },
    left: 'it tells what the tables of one database look like',
    local: true,
  },
  {
    name: 'feature_migration',
    changes: { unread: 'the start alone reads it' },
    left: 'it tells what the tables of one database look like',
    local: true,
  },
];
