-- Who did what, when and from where. Rows are only added, and removed when they are older than the site keeps them.
create table audit_entry (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  -- Of entries that stand for several: the last of them, and how many.
  last_at timestamptz,
  count integer not null default 1,
  -- What the entries that are counted together have in common; null for all others.
  counted_by text unique,
  -- Id of the user; empty for visitors, and for the server itself.
  actor text not null,
  -- Address of the client; null for work of the server itself.
  client_address text,
  action text collate "C" not null,
  -- Number of the object, where it is content; it may be gone.
  content bigint,
  path text collate "C" not null,
  -- Id of what it was done to, where that is no content, such as a user.
  name text not null,
  -- Names of what was changed, and where from; never values that may be secret.
  data jsonb not null
);
create index audit_entry_at on audit_entry (at);
create index audit_entry_actor on audit_entry (actor, id);
create index audit_entry_action on audit_entry (action, id);
create index audit_entry_address on audit_entry (client_address, id);
create index audit_entry_content on audit_entry (content, id);
create index audit_entry_path on audit_entry (path, id);
