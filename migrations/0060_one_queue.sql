-- Work that waits for any process: mails, requests of rules to other systems, purges of caches. A row is written in the transaction of what
-- asks for it, is taken by one process at a time, and goes when the work is done or given up.
create table queue_item (
  id bigint generated always as identity primary key,
  kind text not null,
  -- What the work of a kind is grouped by: how a mail is made, the rule of a request (it may be gone), the address of a cache.
  topic text not null,
  data jsonb not null,
  attempts integer not null default 0,
  -- Why the last attempt failed; null before one has failed.
  error text,
  created timestamptz not null default clock_timestamp(),
  -- Not before this time; while a process has it, the time at which another one may take it.
  due timestamptz not null default clock_timestamp(),
  -- When it is given up; null for what is tried until it is done.
  expires timestamptz
);

insert into queue_item (kind, topic, data, attempts, due, expires)
select 'mail', kind, data, attempts, due, expires from mail_outbox order by id;
insert into queue_item (kind, topic, data, attempts, due, expires)
select 'webhook', rule, jsonb_build_object('key', key, 'path', path, 'request', request), attempts, due, expires
from webhook_outbox order by id;
insert into queue_item (kind, topic, data, attempts, error, created, due)
select 'cache-purge', proxy, jsonb_build_object('tags', tags, 'paths', paths, 'round', round), attempts, error, created, due
from cache_purge order by id;

drop table mail_outbox;
drop table webhook_outbox;
drop table cache_purge;

create index queue_item_due on queue_item (kind, due, id);
create index queue_item_topic on queue_item (kind, topic);
create index queue_item_expires on queue_item (kind, expires) where expires is not null;

-- Jobs have the columns of the queue: while a worker has one, `due` is the time at which another one may take it.
alter table job add column due timestamptz not null default clock_timestamp();
update job set due = coalesce(lease_until, created);
alter table job drop constraint job_held;
alter table job drop column lease_until;
alter table job add constraint job_held check ((status = 'running') = (worker is not null));
