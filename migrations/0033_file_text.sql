-- The texts of files, by the hash of their bytes: copies, versions and what comes back from the recycle bin have them at once. The hash is
-- no text here, so that it does not keep a file from being collected.
create table file_text (
  hash bytea primary key,
  -- How the text is read.
  format text not null,
  state text not null default 'waiting' check (state in ('waiting', 'read', 'failed')),
  -- How often it was begun.
  attempts integer not null default 0,
  noted timestamptz not null default clock_timestamp(),
  text text,
  -- The words of the text with their places, as a text of type tsvector, and each once for its stem.
  words text,
  stems text,
  -- Why there is no text.
  reason text
);
create index file_text_waiting on file_text (attempts, noted) where state = 'waiting';

-- Files that are there already are noted when the catalog is built anew.
insert into job (id, action, params, title, description, as_system, exclusive)
select gen_random_uuid(), 'reindex', '{"type": []}', 'Build the catalog anew',
  'Texts of files are searched from this version on.', true, true
where exists (select from catalog) and not exists (
  select from job where action = 'reindex' and params = '{"type": []}' and status = 'created'
);
