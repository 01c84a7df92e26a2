-- What searches need of an object beyond the columns of content, kept in the transaction of the write.
alter table catalog
  -- The title for sorting: small letters without accents, numbers padded.
  add column sortable_title text collate "C" not null default '',
  add column subjects text[] not null default '{}',
  add column block_types text[] not null default '{}',
  -- When an event begins and ends, one point for each time that it takes place.
  add column starts tstzmultirange,
  add column ends tstzmultirange,
  -- Values of the indexes that types and add-ons declare, by the name of the index.
  add column custom jsonb not null default '{}';
create index catalog_subjects on catalog using gin (subjects) with (fastupdate = off);
create index catalog_block_types on catalog using gin (block_types) with (fastupdate = off);
create index catalog_custom on catalog using gin (custom jsonb_path_ops) with (fastupdate = off);
create index catalog_starts on catalog using gist (starts) where starts is not null;
create index catalog_ends on catalog using gist (ends) where ends is not null;

-- A listing of some types below a path is read from this index alone, however large the objects are.
create index content_type_path on content (type, path) include (oid, effective, expires);
create index content_name on content (name);
create index content_owner on content (owner);
create index content_created on content (created);
create index content_modified on content (modified);
create index content_effective on content (effective);
