-- Exports of the site that jobs make for download (features/site-export)

-- An export. Its file is a blob with a prefix of its own, so that no content has the same blob. There are a few rows at most.
create table site_export (
  id uuid primary key,
  -- The user who has asked for it.
  actor text not null,
  -- The part of the site, `/` for all of it.
  path text not null,
  -- True if secrets come along, encrypted with a passphrase.
  encrypted boolean not null,
  -- The passphrase, sealed by the key of the site, until the job has ended.
  passphrase text,
  created timestamptz not null default clock_timestamp(),
  -- When it is removed unless its job waits or runs.
  expires timestamptz not null,
  job uuid,
  -- Null until it is made.
  blob text,
  bytes bigint,
  report jsonb
);
