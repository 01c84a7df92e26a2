-- Versions of content. What an object is now stands in content; a version keeps the values that were replaced since.
create table version (
  content bigint not null references content (oid) on delete cascade,
  number integer not null,
  -- When, by whom and with which note the version came to be.
  at timestamptz not null,
  actor text not null,
  note text not null default '',
  -- Names of what the edit changed.
  fields text[] not null default '{}',
  -- Field -> stored value of this version, for each field that was changed after it and before the next version.
  replaced jsonb not null default '{}',
  primary key (content, number)
);
