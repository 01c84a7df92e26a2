-- Deleted content. Its rows leave their tables, so that no other statement can meet them, and come back as they were.
create table recycled (
  id text primary key default gen_random_uuid()::text,
  deleted timestamptz not null default now(),
  -- Id of the user; empty for nobody in particular.
  deleted_by text not null,
  -- The deleted object, for lists.
  oid bigint not null,
  path text collate "C" not null,
  name text not null,
  title text not null,
  type text not null,
  review_state text,
  language text,
  -- Objects in the entry, the deleted one included.
  objects integer not null
);
create index recycled_deleted on recycled (deleted);
create index recycled_deleted_by on recycled (deleted_by, deleted);

-- The rows of content of an entry.
create table recycled_object (
  entry text not null references recycled (id) on delete cascade,
  oid bigint not null,
  uid text not null,
  path text collate "C" not null,
  data jsonb not null,
  primary key (entry, path)
);

-- The rows of all other tables that hang on them.
create table recycled_row (
  entry text not null references recycled (id) on delete cascade,
  -- The object that the row hangs on.
  oid bigint not null,
  source text not null,
  data jsonb not null
);
create index recycled_row_entry on recycled_row (entry, source, oid);

-- Every row that goes takes those that refer to it along, one by one: they must be found by an index.
create index comment_in_reply_to on comment (in_reply_to);
create index import_progress_content on import_progress (content);
