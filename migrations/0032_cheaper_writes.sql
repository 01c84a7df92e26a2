-- Most objects have the same values: each write copied long lists of objects in these indexes, which were two fifths of what it wrote to the log.
-- Now writes wait together, and enter them at once. Searches read what waits, at most 64 kB, which is the least that may be set: 445 entries take
-- 0.03 ms.
alter index catalog_custom reset (fastupdate);
alter index catalog_custom set (gin_pending_list_limit = 64);
alter index catalog_subjects reset (fastupdate);
alter index catalog_subjects set (gin_pending_list_limit = 64);
alter index catalog_block_types reset (fastupdate);
alter index catalog_block_types set (gin_pending_list_limit = 64);

-- An announced object took six statements. Now a new one takes two and a changed one three. An assignment to `ended` calls a function without a
-- statement, which `perform` would run.
create or replace function announce(notes jsonb, dated boolean) returns void language plpgsql as $$
declare
  note jsonb;
  one bigint;
  path_was text;
  path_is text;
  ended text;
begin
  for place in 0 .. jsonb_array_length(notes) - 1 loop
    note := notes->place;
    one := (note->>'content')::bigint;
    if one is null then
      update content_feed set compared = 0 where compared is distinct from 0;
      continue;
    end if;
    if (note->>'below')::boolean then
      path_was := (select case a.path when '/' then '' else a.path end from announced_content a where a.oid = one);
      path_is := (select case c.path when '/' then '' else c.path end from content c where c.oid = one);
    end if;
    ended := announce_object(one, coalesce(note->'events', '[]'), dated);
    if (note->>'below')::boolean then
      ended := announce_below(path_was, path_is, dated,
        case when note->'events'->0->>'event' = 'restored' then 'restored' else 'created' end);
    end if;
  end loop;
end
$$;
create or replace function announce_object(one bigint, events jsonb, dated boolean) returns void language plpgsql as $$
declare
  was announced_content;
  is_now announced_content;
begin
  -- It is held until the commit, so that the numbers of its events have the order of what was announced.
  select * into was from announced_content a where a.oid = one for no key update;
  if not found then
    -- Somebody else may have announced it meanwhile: readers then get it twice.
    with is_there as (
      insert into announced_content select * from announceable(dated) c where c.oid = one
        on conflict (oid) do update set uid = excluded.uid, parent = excluded.parent, path = excluded.path, type = excluded.type,
          language = excluded.language, viewers = excluded.viewers
        returning *
    )
    insert into content_event (event, oid, uid, type, language, parent, path, viewers)
      select case when events->0->>'event' = 'restored' then 'restored' else 'created' end, oid, uid, type, language, parent, path, viewers
      from is_there;
    return;
  end if;
  select * into is_now from announceable(dated) c where c.oid = one;
  if not found then
    insert into content_event (event, oid, uid, type, language_before, parent_before, path_before, viewers_before)
      values ('removed', one, was.uid, was.type, was.language, was.parent, was.path, was.viewers);
    delete from announced_content a where a.oid = one;
    return;
  end if;
  -- For readers an object that was removed and is back has never been away.
  if events @> '[{"event": "removed"}]' then
    events := (select coalesce(jsonb_agg(value order by ordinality), '[{"event": "changed", "data": {}}]')
      from jsonb_array_elements(events) with ordinality where value->>'event' not in ('created', 'restored', 'removed'));
  end if;
  if jsonb_array_length(events) = 0 then
    if was.path = is_now.path and was.viewers = is_now.viewers then
      return;
    end if;
    events := jsonb_build_array(jsonb_build_object('event', case when was.path = is_now.path then 'rights' else 'moved' end));
  end if;
  -- The first event has what was before: the others follow it in the same state.
  for place in 0 .. jsonb_array_length(events) - 1 loop
    insert into content_event (event, oid, uid, type, language_before, language, parent_before, parent, path_before, path, viewers_before,
        viewers, data)
      values (events->place->>'event', one, is_now.uid, is_now.type, was.language, is_now.language, was.parent, is_now.parent,
        was.path, is_now.path, was.viewers, is_now.viewers, coalesce(events->place->'data', '{}'));
    if was is distinct from is_now then
      update announced_content a set uid = is_now.uid, parent = is_now.parent, path = is_now.path, type = is_now.type,
        language = is_now.language, viewers = is_now.viewers where a.oid = one;
      was := is_now;
    end if;
  end loop;
end
$$;
