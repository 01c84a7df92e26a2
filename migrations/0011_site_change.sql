-- Which transactions have changed what answers are made of: a process compares with what it has seen before it gives an
-- answer from its memory. Rows of transactions that all processes must have seen are removed by the processes.
create table site_change (
  xid xid8 primary key
);

create function note_site_change() returns trigger language plpgsql as $$
begin
  insert into site_change (xid) values (pg_current_xact_id()) on conflict do nothing;
  return null;
end
$$;

do $$
declare
  shown text;
begin
  foreach shown in array array['content', 'catalog', 'working_copy', 'embedding', 'configuration', 'site_state', 'account',
      'principal_group', 'group_member', 'signing_key', 'issued_token'] loop
    execute format('create trigger %I after insert or update or delete or truncate on %I for each statement execute function note_site_change()',
      shown || '_change', shown);
  end loop;
end
$$;

-- When content is next hidden or shown by the time alone.
create index content_expires on content (expires) where expires is not null;
create index content_locked on content (oid) where lock is not null;
