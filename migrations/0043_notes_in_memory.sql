-- What a transaction has noted of its changes is in a setting of the transaction, too: each statement that writes asks whether its
-- change is known, and to look that up in site_change costs more than to note it, and the more the more was written lately. The
-- setting is `anything`, or the number of notes with the objects and the containers of them all; empty before the first. It goes
-- back with a savepoint as the rows do.

-- The first change of a transaction: see docs/decisions/0013-write-lease.md. `noted` is what is in the setting.
create function note_anything(noted text) returns void language plpgsql as $$
begin
  if noted = 'anything' then
    return;
  end if;
  if noted = '' then
    perform await_write_lease();
  end if;
  noted := set_config('canopy.noted', 'anything', true);
  insert into site_change (xid) values (pg_current_xact_id()) on conflict (xid) where objects is null do nothing;
end
$$;

create or replace function note_site_change() returns trigger language plpgsql as $$
begin
  perform note_anything(coalesce(current_setting('canopy.noted', true), ''));
  return null;
end
$$;

create or replace function note_changed_objects(changed bigint[], lists bigint[]) returns void language plpgsql as $$
declare
  noted text := coalesce(current_setting('canopy.noted', true), '');
  notes int := 0;
  objects bigint[] := '{}';
  containers bigint[] := '{}';
begin
  if changed is null or noted = 'anything' then
    return;
  end if;
  if noted <> '' then
    notes := split_part(noted, ' ', 1);
    objects := split_part(noted, ' ', 2);
    containers := split_part(noted, ' ', 3);
    if objects @> changed and containers @> lists then
      return;
    end if;
  end if;
  if cardinality(changed) > 50 or notes >= 50 then
    perform note_anything(noted);
    return;
  end if;
  if noted = '' then
    perform await_write_lease();
  end if;
  noted := set_config('canopy.noted', concat_ws(' ', notes + 1, objects || changed, containers || lists), true);
  insert into site_change (xid, objects, containers) values (pg_current_xact_id(), changed, lists);
end
$$;

create or replace function note_content_change() returns trigger language plpgsql as $$
begin
  if current_setting('canopy.noted', true) = 'anything' then
    return null;
  end if;
  if tg_op = 'INSERT' then
    perform note_changed_objects(array_agg(distinct oid), array_remove(array_agg(distinct parent), null))
      from (select oid, parent from now_there limit 51) changed;
  elsif tg_op = 'DELETE' then
    perform note_changed_objects(array_agg(distinct oid), array_remove(array_agg(distinct parent), null))
      from (select oid, parent from was_there limit 51) changed;
  else
    perform note_changed_objects(array_agg(distinct oid), array_remove(array_agg(distinct parent), null))
      from ((select oid, parent from was_there limit 51) union all (select oid, parent from now_there limit 51)) changed;
  end if;
  return null;
end
$$;

-- What is noted of an object has its container with it, so nothing is to be looked up for one that is noted.
create or replace function note_catalog_change() returns trigger language plpgsql as $$
declare
  noted text := coalesce(current_setting('canopy.noted', true), '');
  changed bigint[];
begin
  if noted = 'anything' then
    return null;
  end if;
  if tg_op = 'DELETE' then
    select array_agg(oid) into changed from (select oid from was_there limit 51) k;
  else
    select array_agg(oid) into changed from (select oid from now_there limit 51) k;
  end if;
  if changed is null or noted <> '' and split_part(noted, ' ', 2)::bigint[] @> changed then
    return null;
  end if;
  perform note_changed_objects(changed, array_remove(array(
    select distinct (select parent from content where oid = k.oid) from unnest(changed) k(oid)), null));
  return null;
end
$$;
