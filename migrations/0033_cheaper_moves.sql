-- Moves of large folders announce what is below them in less time (features/changes)

-- Rows are looked up one by one (`offset 0`): for joins the planner read all of a table, also to move a folder with one page.
create or replace function announceable(dated boolean)
  returns table (oid bigint, uid text, parent bigint, path text, type text, language text, viewers text[]) stable language sql as $$
  select c.oid, c.uid, c.parent, c.path, c.type, c.language,
    case when not dated or c.parent is null
        or coalesce(c.effective, '-infinity') <= now() and coalesce(c.expires, 'infinity') > now() then k.allowed
      else array(select unnest(k.allowed) intersect select unnest(k.inactive_allowed) order by 1) end
  from content c cross join lateral (select * from catalog k where k.oid = c.oid offset 0) k
$$;

-- Objects below a path are read once, with what was announced of them. What was announced below the former path is below the present one, except
-- for few objects.
create or replace function announce_below(path_was text, path_is text, dated boolean, created_as text) returns void language sql as $$
  with is_below as materialized (
    select n.*, a.oid is not null as was_there, a.uid as uid_before, a.type as type_before, a.language as language_before,
      a.parent as parent_before, a.path as path_before, a.viewers as viewers_before
    from announceable(dated) n left join lateral (select * from announced_content a where a.oid = n.oid offset 0) a on true
    where n.path > path_is || '/' collate "C" and n.path < path_is || '0' collate "C"
  ), compared as materialized (
    select * from is_below where path is distinct from path_before or viewers is distinct from viewers_before
    union all
    select a.oid, n.uid, n.parent, n.path, n.type, n.language, n.viewers, true, a.uid, a.type, a.language, a.parent, a.path, a.viewers
    from (
      select oid from announced_content where path > path_was || '/' collate "C" and path < path_was || '0' collate "C"
      except select oid from is_below
    ) elsewhere
      cross join lateral (select * from announced_content a where a.oid = elsewhere.oid offset 0) a
      left join lateral (select * from announceable(dated) n where n.oid = elsewhere.oid offset 0) n on true
    where n.path is distinct from a.path or n.viewers is distinct from a.viewers
  ), gone as (
    delete from announced_content a using compared where compared.path is null and a.oid = compared.oid returning a.oid
  ), is_there as (
    insert into announced_content select oid, uid, parent, path, type, language, viewers from compared where path is not null order by oid
      on conflict (oid) do update set uid = excluded.uid, parent = excluded.parent, path = excluded.path, type = excluded.type,
        language = excluded.language, viewers = excluded.viewers
      returning oid
  )
  insert into content_event (event, oid, uid, type, language_before, language, parent_before, parent, path_before, path, viewers_before,
    viewers)
  select case when not was_there then created_as when path is null then 'removed' when path = path_before then 'rights' else 'moved' end,
    oid, coalesce(uid, uid_before), coalesce(type, type_before), language_before, language, parent_before, parent, path_before, path,
    viewers_before, viewers
  from compared
  -- The count has all rows held before their events get numbers. Somebody else may have removed a row that is gone.
  where (select count(*) from is_there) >= 0 and (path is not null or oid in (select oid from gone))
  order by coalesce(path, path_before)
$$;
