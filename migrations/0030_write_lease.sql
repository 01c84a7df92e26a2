-- The process that nobody writes beside: it needs not ask whether others have changed something. Who else wants to write waits
-- until it has given up. See docs/decisions/0013-write-lease.md.
create table write_lease (
  process text primary key
);

-- Each transaction that changes the site comes here before it does. One lock says that writers are under way, and keeps a lease
-- from being taken; the other that there are such without the lease, and keeps it from being renewed. A process that has not given
-- up within three seconds has ended, and has trusted its lease for two at most.
create function await_write_lease() returns void language plpgsql as $$
declare
  holder text;
begin
  perform pg_advisory_xact_lock_shared(4072026004);
  select process into holder from write_lease;
  if holder = current_setting('application_name') then
    return;
  end if;
  perform pg_advisory_xact_lock_shared(4072026005);
  for attempt in 1..60 loop
    select process into holder from write_lease;
    if not found then
      return;
    end if;
    perform pg_sleep(0.05);
  end loop;
  delete from write_lease where process in (select process from write_lease where process = holder for update skip locked);
end
$$;

create or replace function note_site_change() returns trigger language plpgsql as $$
begin
  if not exists (select from site_change where xid = pg_current_xact_id()) then
    perform await_write_lease();
  end if;
  insert into site_change (xid) values (pg_current_xact_id()) on conflict (xid) where objects is null do nothing;
  return null;
end
$$;

create or replace function note_changed_objects(changed bigint[], lists bigint[]) returns void language plpgsql as $$
declare
  is_known boolean;
  noted bigint;
begin
  select bool_or(s.objects @> changed and s.containers @> lists), count(*) into is_known, noted
    from site_change s where s.xid = pg_current_xact_id();
  if changed is null or is_known then
    return;
  end if;
  if noted = 0 then
    perform await_write_lease();
  end if;
  if cardinality(changed) > 50 or noted >= 50 then
    insert into site_change (xid) values (pg_current_xact_id()) on conflict (xid) where objects is null do nothing;
  else
    insert into site_change (xid, objects, containers) values (pg_current_xact_id(), changed, lists);
  end if;
end
$$;
