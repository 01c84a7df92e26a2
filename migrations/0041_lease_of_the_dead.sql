-- Which process of which machine has the lease, as the operating system knows it: the next process on the same machine sees that it
-- has ended and needs not wait. Null where the system does not tell.
alter table write_lease add column running_as text;

-- A process that has not given up within two and a half seconds has ended, and has trusted its lease for two at most.
create or replace function await_write_lease() returns void language plpgsql as $$
declare
  holder text;
begin
  perform pg_advisory_xact_lock_shared(4072026004);
  select process into holder from write_lease;
  if holder = current_setting('application_name') then
    return;
  end if;
  perform pg_advisory_xact_lock_shared(4072026005);
  for attempt in 1..50 loop
    select process into holder from write_lease;
    if not found then
      return;
    end if;
    perform pg_sleep(0.05);
  end loop;
  delete from write_lease where process in (select process from write_lease where process = holder for update skip locked);
end
$$;
