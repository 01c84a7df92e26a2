-- Exports that were uploaded to be imported (features/import)

-- An uploaded export. Its file is a blob with a prefix of its own, so that no content has the same blob.
create table site_import (
  id uuid primary key,
  -- The user who has uploaded it.
  actor text not null,
  filename text not null,
  kind text not null check (kind in ('zip', 'tar.gz', 'json', 'xml')),
  bytes bigint not null,
  -- Null once the file is removed.
  blob text,
  created timestamptz not null default clock_timestamp(),
  -- When its file is removed unless a job of it waits or runs.
  expires timestamptz not null,
  -- The last job and what was asked of it.
  job uuid,
  options jsonb,
  -- The counts of the last job that came to its end.
  report jsonb
);
create index site_import_expires on site_import (expires) where blob is not null;
create index site_import_created on site_import (created desc, id);

-- A line of the report of the last job: a problem, a change or a conflict.
create table site_import_line (
  import uuid not null references site_import (id) on delete cascade,
  number bigint generated always as identity,
  kind text not null check (kind in ('problem', 'change', 'conflict')),
  effect text,
  -- Stands for the line, which an interrupted import may find again.
  mark text not null,
  line jsonb not null,
  primary key (import, number),
  unique (import, mark)
);
create index site_import_line_kind on site_import_line (import, kind, effect, number);
