import type { SiteTable } from '../kernel/site-tables.ts';

/** What becomes of the tables of the core when a site is exported. */
export const coreTables: readonly SiteTable[] = [
  {
    name: 'content',
    // Containers come before what is in them.
    key: ['path'],
    content: 'oid',
    otherContent: ['parent'],
    emptied: { lock: 'who was editing is not editing on the new site' },
    values: ['fields'],
  },
  { name: 'reference', key: ['source', 'position'], content: 'source' },
  { name: 'redirect', key: ['path'], content: 'target', address: 'path' },
  { name: 'workflow_history', key: ['id'], content: 'content', numbered: ['id'] },
  { name: 'configuration', key: ['kind', 'id'], values: ['data'] },
  { name: 'installed_profile', key: ['kind', 'id'], values: ['data'] },
  { name: 'site_state', key: ['name'] },
  { name: 'account', key: ['id'] },
  { name: 'principal_group', key: ['id'] },
  { name: 'group_member', key: ['group_id', 'member_id', 'is_group'] },
  { name: 'file_text', key: ['hash'] },
  { name: 'catalog', left: 'the import makes it of the content' },
  { name: 'catalog_value', left: 'the import makes it of the content' },
  { name: 'embedding', left: 'it is made anew of the content by the language model of the new site' },
  { name: 'issued_token', left: 'who is logged in at the old site is not at the new one' },
  { name: 'signing_key', left: 'tokens of the old site must not open the new one' },
  { name: 'secret_key', left: 'each site encrypts its secrets with a key of its own' },
  { name: 'login_failure', left: 'it counts attempts within minutes' },
  { name: 'visitor_request', left: 'it counts requests within hours' },
  { name: 'mail_outbox', left: 'the old site sends its mails itself' },
  { name: 'site_change', left: 'it tells processes of one server what has changed' },
  { name: 'write_lease', left: 'it belongs to a process of one server' },
  { name: 'schema_migration', left: 'it tells what the tables of one database look like' },
  { name: 'feature_migration', left: 'it tells what the tables of one database look like' },
];
