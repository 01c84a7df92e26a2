-- Changes are noted row by row, and written once for each statement (core/cache)

-- The triggers that compared all rows of a statement, old and new, took a third of the time of most statements that write one row. A row
-- whose object is noted in this transaction costs nearly nothing now. The objects of other rows wait in the setting `canopy.noting`
-- for the end of their statement: it has the arrays of objects and of containers, or `anything`, and is empty between two statements. A
-- value that is assigned is computed without a query, unlike one that is performed.

create or replace function await_write_lease() returns void language plpgsql as $$
declare
  holder text;
  held text;
begin
  held := pg_advisory_xact_lock_shared(4072026004);
  select process into holder from write_lease;
  if holder = current_setting('application_name') then
    return;
  end if;
  held := pg_advisory_xact_lock_shared(4072026005);
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

-- Notes a change of an object and of lists of children at the end of the statement. An object without a number is a change of anything.
create function note_at_end(one bigint, lists bigint[]) returns text language plpgsql as $$
declare
  noting text := coalesce(current_setting('canopy.noting', true), '');
  objects bigint[] := '{}';
  containers bigint[] := '{}';
begin
  if noting = 'anything' then
    return noting;
  end if;
  if noting <> '' then
    objects := split_part(noting, ' ', 1);
    containers := split_part(noting, ' ', 2);
  end if;
  if not objects @> array[one] then
    objects := objects || one;
  end if;
  if not containers @> lists then
    containers := containers || lists;
  end if;
  if one is null or cardinality(objects) > 50 then
    return set_config('canopy.noting', 'anything', true);
  end if;
  return set_config('canopy.noting', objects::text || ' ' || containers::text, true);
end
$$;

-- Writes what the rows of a statement have noted.
create function note_rows() returns trigger language plpgsql as $$
declare
  noting text := coalesce(current_setting('canopy.noting', true), '');
  ended text;
begin
  if noting = '' then
    return null;
  end if;
  ended := set_config('canopy.noting', '', true);
  if noting = 'anything' then
    ended := note_anything(coalesce(current_setting('canopy.noted', true), ''));
  else
    ended := note_changed_objects(split_part(noting, ' ', 1)::bigint[], split_part(noting, ' ', 2)::bigint[]);
  end if;
  return null;
end
$$;

-- Notes a change of the object whose number is in the column that the trigger names: rows that hang on content, such as comments.
create function note_object_row() returns trigger language plpgsql as $$
declare
  noted text := coalesce(current_setting('canopy.noted', true), '');
  one bigint;
  other bigint;
  ended text;
begin
  if noted = 'anything' or current_setting('canopy.noting', true) = 'anything' then
    return null;
  end if;
  -- A column that is named here is read without making JSON of the row.
  if tg_argv[0] = 'content' then
    if tg_op = 'DELETE' then one := old.content; else one := new.content; end if;
    if tg_op = 'UPDATE' then other := old.content; else other := one; end if;
  elsif tg_argv[0] = 'oid' then
    if tg_op = 'DELETE' then one := old.oid; else one := new.oid; end if;
    if tg_op = 'UPDATE' then other := old.oid; else other := one; end if;
  else
    one := (to_jsonb(case when tg_op = 'DELETE' then old else new end)->>tg_argv[0])::bigint;
    other := case when tg_op = 'UPDATE' then (to_jsonb(old)->>tg_argv[0])::bigint else one end;
  end if;
  if noted <> '' and split_part(noted, ' ', 2)::bigint[] @> array[one, other] then
    return null;
  end if;
  ended := note_at_end(one, '{}');
  if other is distinct from one then
    ended := note_at_end(other, '{}');
  end if;
  return null;
end
$$;

create function note_content_row() returns trigger language plpgsql as $$
declare
  noted text := coalesce(current_setting('canopy.noted', true), '');
  one bigint;
  lists bigint[];
  ended text;
begin
  if noted = 'anything' or current_setting('canopy.noting', true) = 'anything' then
    return null;
  end if;
  if tg_op = 'DELETE' then
    one := old.oid;
    lists := array[old.parent];
  else
    one := new.oid;
    lists := array[new.parent];
  end if;
  if tg_op = 'UPDATE' and old.parent is distinct from new.parent then
    lists := lists || old.parent;
  end if;
  lists := array_remove(lists, null);
  if noted <> '' and split_part(noted, ' ', 2)::bigint[] @> array[one] and split_part(noted, ' ', 3)::bigint[] @> lists then
    return null;
  end if;
  ended := note_at_end(one, lists);
  return null;
end
$$;

-- The note of an object has its container with it, so nothing is looked up for an object that is noted.
create function note_catalog_row() returns trigger language plpgsql as $$
declare
  noted text := coalesce(current_setting('canopy.noted', true), '');
  one bigint;
  ended text;
begin
  if noted = 'anything' or current_setting('canopy.noting', true) = 'anything' then
    return null;
  end if;
  if tg_op = 'DELETE' then one := old.oid; else one := new.oid; end if;
  if noted <> '' and split_part(noted, ' ', 2)::bigint[] @> array[one] then
    return null;
  end if;
  ended := note_at_end(one, array(select parent from content where oid = one and parent is not null));
  return null;
end
$$;

create or replace function note_changed_objects(changed bigint[], lists bigint[]) returns void language plpgsql as $$
declare
  noted text := coalesce(current_setting('canopy.noted', true), '');
  notes int := 0;
  objects bigint[] := '{}';
  containers bigint[] := '{}';
  ended text;
begin
  if changed is null or noted = 'anything' then
    return;
  end if;
  if noted = '' then
    ended := await_write_lease();
  else
    notes := split_part(noted, ' ', 1);
    objects := split_part(noted, ' ', 2);
    containers := split_part(noted, ' ', 3);
    if objects @> changed and containers @> lists then
      return;
    end if;
  end if;
  if cardinality(changed) > 50 or notes >= 50 then
    ended := note_anything(noted);
    return;
  end if;
  ended := set_config('canopy.noted', concat_ws(' ', notes + 1, objects || changed, containers || lists), true);
  insert into site_change (xid, objects, containers) values (pg_current_xact_id(), changed, lists);
end
$$;

drop trigger content_inserted on content;
drop trigger content_updated on content;
drop trigger content_deleted on content;
create trigger content_changed after insert or update or delete on content for each row execute function note_content_row();
create trigger content_noted after insert or update or delete on content for each statement execute function note_rows();

drop trigger catalog_inserted on catalog;
drop trigger catalog_updated on catalog;
drop trigger catalog_deleted on catalog;
create trigger catalog_changed after insert or update or delete on catalog for each row execute function note_catalog_row();
create trigger catalog_noted after insert or update or delete on catalog for each statement execute function note_rows();

-- The start of the program makes the triggers of other tables. Until then, processes that are running must not write unnoticed.
do $$
declare
  one record;
begin
  for one in
    select c.relname, replace(encode(t.tgargs, 'escape'), '\000', '') as named, array_agg(t.tgname) as made
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where t.tgfoid = 'note_object_change'::regproc group by 1, 2
  loop
    execute format('create trigger %I after insert or update or delete on %I for each row execute function note_object_row(%L)',
      one.relname || '_changed', one.relname, one.named);
    execute format('create trigger %I after insert or update or delete on %I for each statement execute function note_rows()',
      one.relname || '_noted', one.relname);
    for i in 1..cardinality(one.made) loop
      execute format('drop trigger %I on %I', one.made[i], one.relname);
    end loop;
  end loop;
end
$$;

drop function note_object_change(), note_content_change(), note_catalog_change();
