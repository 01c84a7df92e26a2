-- Which objects a transaction has changed, so that only what was made of them has to be made anew. A row without objects
-- stands for a change of anything. `containers` are those whose lists of children may be others.
alter table site_change drop constraint site_change_pkey;
alter table site_change add column objects bigint[], add column containers bigint[];
create index site_change_xid on site_change (xid);
create unique index site_change_anything on site_change (xid) where objects is null;

create or replace function note_site_change() returns trigger language plpgsql as $$
begin
  insert into site_change (xid) values (pg_current_xact_id()) on conflict (xid) where objects is null do nothing;
  return null;
end
$$;

-- Notes changes of objects. Who changes more than fifty has changed anything: a transaction has few rows, and whoever reads them
-- has little to read.
create function note_changed_objects(changed bigint[], lists bigint[]) returns void language plpgsql as $$
declare
  is_known boolean;
  noted bigint;
begin
  select bool_or(s.objects @> changed and s.containers @> lists), count(*) into is_known, noted
    from site_change s where s.xid = pg_current_xact_id();
  if changed is null or is_known then
    return;
  end if;
  if cardinality(changed) > 50 or noted >= 50 then
    insert into site_change (xid) values (pg_current_xact_id()) on conflict (xid) where objects is null do nothing;
  else
    insert into site_change (xid, objects, containers) values (pg_current_xact_id(), changed, lists);
  end if;
end
$$;

create function note_content_change() returns trigger language plpgsql as $$
begin
  if exists (select from site_change where xid = pg_current_xact_id() and objects is null) then
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

create function note_catalog_change() returns trigger language plpgsql as $$
begin
  if exists (select from site_change where xid = pg_current_xact_id() and objects is null) then
    return null;
  end if;
  if tg_op = 'DELETE' then
    perform note_changed_objects(array_agg(k.oid), array_remove(array_agg(distinct c.parent), null))
      from (select oid from was_there limit 51) k left join content c using (oid);
  else
    perform note_changed_objects(array_agg(k.oid), array_remove(array_agg(distinct c.parent), null))
      from (select oid from now_there limit 51) k left join content c using (oid);
  end if;
  return null;
end
$$;

drop trigger content_change on content;
create trigger content_change after truncate on content for each statement execute function note_site_change();
create trigger content_inserted after insert on content referencing new table as now_there
  for each statement execute function note_content_change();
create trigger content_updated after update on content referencing old table as was_there new table as now_there
  for each statement execute function note_content_change();
create trigger content_deleted after delete on content referencing old table as was_there
  for each statement execute function note_content_change();

drop trigger catalog_change on catalog;
create trigger catalog_change after truncate on catalog for each statement execute function note_site_change();
create trigger catalog_inserted after insert on catalog referencing new table as now_there
  for each statement execute function note_catalog_change();
create trigger catalog_updated after update on catalog referencing new table as now_there
  for each statement execute function note_catalog_change();
create trigger catalog_deleted after delete on catalog referencing old table as was_there
  for each statement execute function note_catalog_change();

-- A token that is new is in no response that is kept.
drop trigger issued_token_change on issued_token;
create trigger issued_token_change after update or delete or truncate on issued_token for each statement execute function note_site_change();
