-- Changes of many objects that jobs make, and their objects: those without an `outcome` are still to be changed. `transaction` is the number
-- of the site_transaction in which an object was changed.
create table bulk_change (
  id uuid primary key,
  actor text not null,
  data jsonb not null,
  created timestamptz not null default now()
);
create index bulk_change_created on bulk_change (created);
create table bulk_object (
  bulk uuid not null references bulk_change on delete cascade,
  number integer not null,
  uid text not null,
  path text collate "C" not null,
  outcome text,
  target text collate "C",
  type text,
  reason text,
  transaction bigint,
  primary key (bulk, number),
  constraint bulk_object_outcome check (outcome in ('changed', 'unchanged', 'refused'))
);
