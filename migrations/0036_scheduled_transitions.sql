-- Transitions of content that are to be made at a time, and what became of them.
create table scheduled_transition (
  id text primary key,
  content bigint not null references content (oid) on delete cascade,
  transition text not null,
  at timestamptz not null,
  comment text not null,
  include_children boolean not null,
  -- In whose name; null once the user is gone.
  actor text references account (id) on delete set null,
  created timestamptz not null,
  status text not null default 'waiting' check (status in ('waiting', 'done', 'refused')),
  -- When it is tried next: later than its time only after a fault of the server.
  due timestamptz not null,
  attempts integer not null default 0,
  finished timestamptz,
  -- Why it was refused.
  reason text,
  constraint scheduled_transition_finished check ((finished is not null) = (status <> 'waiting'))
);
create index scheduled_transition_content on scheduled_transition (content, at);
create index scheduled_transition_due on scheduled_transition (due) where status = 'waiting';
