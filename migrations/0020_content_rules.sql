-- What the site does by itself when something happens to content, users or comments.
create table content_rule (
  id text primary key,
  -- The order in which rules are listed.
  number bigint generated always as identity,
  title text not null,
  description text not null,
  -- What it follows on, such as onAfterAdd.
  event text not null,
  enabled boolean not null,
  -- No further rule runs after it.
  stop boolean not null,
  -- What its actions do may start other rules.
  cascading boolean not null,
  -- Lists of {type, values}, in order.
  conditions jsonb not null,
  actions jsonb not null,
  -- How often it has failed.
  failures bigint not null default 0
);

-- Where rules apply. Copies of a folder do not have those of the original.
create table content_rule_assignment (
  content bigint not null references content (oid) on delete cascade,
  rule text not null references content_rule (id) on delete cascade,
  position integer not null,
  enabled boolean not null,
  -- It applies below the folders of the folder, too.
  bubbles boolean not null,
  primary key (content, rule)
);
create index content_rule_assignment_rule on content_rule_assignment (rule);

-- The last failures of each rule.
create table content_rule_failure (
  id bigint generated always as identity primary key,
  rule text not null references content_rule (id) on delete cascade,
  at timestamptz not null,
  path text not null,
  message text not null
);
create index content_rule_failure_rule on content_rule_failure (rule, id);

-- Requests to other systems, to be sent after the commit of what caused them.
create table webhook_outbox (
  id bigint generated always as identity primary key,
  -- The rule that it comes from; it may be gone.
  rule text not null,
  path text not null,
  request jsonb not null,
  attempts integer not null default 0,
  -- Not before this time; while a process sends it, the time at which another one may try.
  due timestamptz not null,
  expires timestamptz not null
);
create index webhook_outbox_due on webhook_outbox (due, id);

-- What rules have to say to users.
create table notification (
  id bigint generated always as identity primary key,
  account text not null references account (id) on delete cascade,
  at timestamptz not null,
  kind text not null,
  message text not null,
  path text not null
);
create index notification_account on notification (account, id);
