-- Work in the background. A row is written in the transaction of what asks for it, and taken by one process at a time.
create table job (
  number bigint generated always as identity primary key,
  id uuid not null unique,
  action text not null,
  params jsonb not null,
  title text not null,
  description text not null,
  -- The scheduled job that it was started by. It may be gone.
  scheduled_job text,
  -- Who asked for it; null for the clock. No reference: what was asked for is done when the account is gone, too.
  actor text,
  -- Whether it has the rights of a Manager, else those that the actor has when it runs.
  as_system boolean not null,
  -- No other job of its action runs at the same time.
  exclusive boolean not null,
  status text not null default 'created',
  created timestamptz not null default clock_timestamp(),
  started timestamptz,
  finished timestamptz,
  done bigint,
  total bigint,
  result jsonb,
  error text,
  -- How often it was taken. With `worker` it tells who has it now from who had it before.
  attempts integer not null default 0,
  worker uuid,
  -- Until when it is the worker's. Then another may take it.
  lease_until timestamptz,
  abort_requested boolean not null default false,
  constraint job_status check (status in ('created', 'running', 'completed', 'failed', 'aborted')),
  constraint job_finished check ((finished is not null) = (status in ('completed', 'failed', 'aborted'))),
  constraint job_held check ((status = 'running') = (worker is not null and lease_until is not null))
);
create index job_open on job (number) where finished is null;
create index job_closed on job (finished) where finished is not null;
create unique index job_running_alone on job (action) where exclusive and status = 'running';

-- Jobs that start by the clock, in UTC.
create table scheduled_job (
  id text primary key,
  title text not null,
  description text not null,
  enabled boolean not null,
  action text not null,
  params jsonb not null,
  schedule text not null,
  -- When it starts next; null while it is switched off.
  next_run timestamptz,
  constraint scheduled_job_waits check (enabled = (next_run is not null))
);
create index scheduled_job_due on scheduled_job (next_run) where next_run is not null;
