-- Plans that come in parts and are applied by a job (features/promote)

-- A plan of one user. `setup` and `report` are JSON as text, because values may have characters that jsonb does not take.
create table plan (
  id uuid primary key,
  owner text not null,
  created timestamptz not null,
  -- When a part came last, or when it was last applied.
  changed timestamptz not null,
  state text not null check (state in ('open', 'waiting', 'applied', 'failed')),
  setup text not null,
  -- How many entries came, and bytes of these and of files.
  entries integer not null default 0,
  bytes bigint not null default 0,
  -- How it is to be applied; null unless it was asked for.
  rule text check (rule in ('keep', 'take', 'stop')),
  only_check boolean,
  job uuid,
  -- The paths that the token of the request is limited to; null for no limit.
  paths text[],
  -- The report, or the reason why it was not applied.
  report text
);
create index plan_owner on plan (owner);
create index plan_changed on plan (changed);

-- The entries of plans, by their numbers from 0. Those of a plan that was applied are removed.
create table plan_entry (
  plan uuid not null references plan (id) on delete cascade,
  number integer not null,
  entry text not null,
  primary key (plan, number)
);

-- The files that came with a plan: it may use no others.
create table plan_file (
  plan uuid not null references plan (id) on delete cascade,
  hash text not null,
  size bigint not null,
  primary key (plan, hash)
);
