-- What was changed, by whom, and from where: one row for each transaction that has changed something.
create table site_transaction (
  id bigint generated always as identity primary key,
  -- The beginning of the transaction: what it has put into the recycle bin was deleted at the same moment.
  at timestamptz not null default now(),
  -- Id of the user; empty for visitors, and for the server itself.
  actor text not null,
  -- Address of the client; null for work of the server itself.
  client_address text,
  description text not null,
  path text collate "C" not null,
  -- Bytes of what is kept of it.
  size integer not null,
  -- The transactions that it has undone, and the one that has undone it.
  undoes bigint[] not null default '{}',
  undone_by bigint,
  -- It has done more than is kept.
  incomplete boolean not null default false
);
create index site_transaction_at on site_transaction (at);
create index site_transaction_undone_by on site_transaction (undone_by) where undone_by is not null;

-- What it has done, in order.
create table site_transaction_step (
  transaction bigint not null references site_transaction (id) on delete cascade,
  number integer not null,
  action text not null,
  -- Number of the object; it may be gone.
  content bigint,
  path text collate "C" not null,
  -- The newest version of the object at the end of the transaction, where it has versions.
  version integer,
  -- What is needed to undo it.
  data jsonb not null,
  primary key (transaction, number)
);
create index site_transaction_step_content on site_transaction_step (content, transaction);
create index site_transaction_step_path on site_transaction_step (path, transaction);
