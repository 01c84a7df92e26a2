-- Uploads under way (tus). Their bytes wait in the blob store; which of them count, stands here.
create table upload (
  id uuid primary key,
  -- Who opened it, and may go on with it. No reference: it expires when the account is gone.
  owner text not null,
  -- The container of the content that it becomes, or the content whose file it replaces. No reference, for the same reason.
  content bigint not null,
  mode text not null,
  length bigint not null,
  -- The offset: bytes that have come for good. All of them only when the content has been written.
  received bigint not null default 0,
  -- The header Upload-Metadata as it came.
  metadata text not null,
  -- What the blob store calls it.
  handle text not null,
  -- The request that goes on with it. A later one takes its place, and what the earlier one still brings does not count.
  writer uuid,
  next_part integer not null default 1,
  -- The blob that its parts have become.
  blob text,
  -- UID of the content, once that is written.
  result text,
  created timestamptz not null default clock_timestamp(),
  expires timestamptz not null,
  constraint upload_mode check (mode in ('create', 'replace')),
  constraint upload_received check (received between 0 and length)
);
create index upload_owner on upload (owner);
create index upload_expires on upload (expires);

create table upload_part (
  upload uuid not null references upload on delete cascade,
  number integer not null,
  size bigint not null,
  -- What the blob store knows the part by.
  tag text not null,
  primary key (upload, number)
);
