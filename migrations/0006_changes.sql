-- The feed of changes (features/changes). Each event of content is a row that is written by the transaction of the change; feeds,
-- listeners and webhooks read the rows.

-- Each object as the feed has announced it last: an event compares it with what the object is at the end of its transaction.
create table announced_content (
  oid bigint primary key,
  uid text not null,
  parent bigint,
  path text collate "C" not null,
  type text not null,
  language text,
  -- Who may view it, as in `catalog.allowed`, at the time of the last event.
  viewers text[] not null
);
create index announced_content_path on announced_content (path);

create table content_event (
  -- In the order of the writes of each object: who writes an object holds it until the commit.
  number bigint generated always as identity primary key,
  -- The place in the feed, given after the commit, so that no row comes before one that was read already. Null until then.
  position bigint,
  -- Names the event for clients, and proves that a cursor belongs to this feed and not to a state that was restored or lost.
  id uuid not null default gen_random_uuid(),
  at timestamptz not null default now(),
  event text not null,
  oid bigint not null,
  uid text not null,
  type text not null,
  language_before text,
  language text,
  parent_before bigint,
  parent bigint,
  -- Null where the object was not there before, or is not there any more.
  path_before text collate "C",
  path text collate "C",
  viewers_before text[],
  viewers text[],
  data jsonb not null default '{}'
);
create unique index content_event_position on content_event (position) where position is not null;
create index content_event_unplaced on content_event (number) where position is null;
create index content_event_at on content_event (at);
-- The beginning of each feed, which nobody sees.
insert into content_event (position, event, oid, uid, type) values (0, 'begin', 0, '', '');

-- The last place that was given. Who gives places locks the row.
create table content_feed (
  single boolean primary key default true check (single),
  position bigint not null default 0,
  -- The number of the object behind which the comparison of all content with `announced_content` goes on; null for none.
  compared bigint,
  -- The dates of publication up to this moment are announced.
  dated timestamptz not null default now()
);
insert into content_feed (compared) values (null);

insert into announced_content (oid, uid, parent, path, type, language, viewers)
  select c.oid, c.uid, c.parent, c.path, c.type, c.language, k.allowed from content c join catalog k on k.oid = c.oid;

-- Content as the feed announces it. Where dates of publication hide content (`dated`), only those who may see it before and after are
-- its viewers then.
create function announceable(dated boolean) returns table (oid bigint, uid text, parent bigint, path text, type text, language text, viewers text[])
language sql stable as $$
  select c.oid, c.uid, c.parent, c.path, c.type, c.language,
    case when not dated or c.parent is null
        or coalesce(c.effective, '-infinity') <= now() and coalesce(c.expires, 'infinity') > now() then k.allowed
      else array(select unnest(k.allowed) intersect select unnest(k.inactive_allowed) order by 1) end
  from content c join catalog k on k.oid = c.oid
$$;

-- Announces one object: `events` are those of a transaction, [{event, data}], the one first that all others go with. Without events a row
-- is written only where path or viewers are others.
create function announce_object(one bigint, events jsonb, dated boolean) returns void language plpgsql as $$
declare
  was announced_content;
  now_there record;
  is_new boolean;
  is_gone boolean;
  happened record;
begin
  -- It is held until the commit, so that the numbers of its events have the order of what was announced.
  select * into was from announced_content a where a.oid = one for no key update;
  is_new := not found;
  select * into now_there from announceable(dated) c where c.oid = one;
  is_gone := not found;
  if is_gone then
    if not is_new then
      insert into content_event (event, oid, uid, type, language_before, parent_before, path_before, viewers_before)
        values ('removed', one, was.uid, was.type, was.language, was.parent, was.path, was.viewers);
      delete from announced_content a where a.oid = one;
    end if;
    return;
  end if;
  if is_new then
    -- Somebody else may have announced it meanwhile: readers then get it twice.
    insert into announced_content values (one, now_there.uid, now_there.parent, now_there.path, now_there.type, now_there.language,
      now_there.viewers)
      on conflict (oid) do update set uid = excluded.uid, parent = excluded.parent, path = excluded.path, type = excluded.type,
        language = excluded.language, viewers = excluded.viewers;
    insert into content_event (event, oid, uid, type, language, parent, path, viewers)
      values (case when events->0->>'event' = 'restored' then 'restored' else 'created' end, one,
        now_there.uid, now_there.type, now_there.language, now_there.parent, now_there.path, now_there.viewers);
    return;
  end if;
  -- For readers an object that was removed and is back has never been away.
  if events @> '[{"event": "removed"}]' then
    events := (select coalesce(jsonb_agg(value order by ordinality), '[{"event": "changed", "data": {}}]')
      from jsonb_array_elements(events) with ordinality where value->>'event' not in ('created', 'restored', 'removed'));
  end if;
  if jsonb_array_length(events) = 0 then
    if was.path = now_there.path and was.viewers = now_there.viewers then
      return;
    end if;
    events := jsonb_build_array(jsonb_build_object('event', case when was.path = now_there.path then 'rights' else 'moved' end));
  end if;
  -- The first event has what was before: the others follow it in the same state.
  for happened in select value, ordinality from jsonb_array_elements(events) with ordinality loop
    insert into content_event (event, oid, uid, type, language_before, language, parent_before, parent, path_before, path, viewers_before,
        viewers, data)
      values (happened.value->>'event', one, now_there.uid, now_there.type,
        case happened.ordinality when 1 then was.language else now_there.language end, now_there.language,
        case happened.ordinality when 1 then was.parent else now_there.parent end, now_there.parent,
        case happened.ordinality when 1 then was.path else now_there.path end, now_there.path,
        case happened.ordinality when 1 then was.viewers else now_there.viewers end, now_there.viewers,
        coalesce(happened.value->'data', '{}'));
  end loop;
  if row(was.uid, was.parent, was.path, was.type, was.language, was.viewers)
    is distinct from row(now_there.uid, now_there.parent, now_there.path, now_there.type, now_there.language, now_there.viewers)
  then
    update announced_content a set uid = now_there.uid, parent = now_there.parent, path = now_there.path, type = now_there.type,
      language = now_there.language, viewers = now_there.viewers where a.oid = one;
  end if;
end
$$;

-- Announces what is or was below two paths, wherever path or viewers are others now.
create function announce_below(path_was text, path_is text, dated boolean, created_as text) returns void language sql as $$
  with touched as (
    select c.oid from content c where c.path > path_is || '/' collate "C" and c.path < path_is || '0' collate "C"
    union
    select a.oid from announced_content a where a.path > path_was || '/' collate "C" and a.path < path_was || '0' collate "C"
  ), compared as materialized (
    select t.oid, n.uid, n.parent, n.path, n.type, n.language, n.viewers, a.oid is not null as was_there, a.uid as uid_before,
      a.type as type_before, a.language as language_before, a.parent as parent_before, a.path as path_before, a.viewers as viewers_before
    from touched t left join announced_content a on a.oid = t.oid left join announceable(dated) n on n.oid = t.oid
    where a.path is distinct from n.path or a.viewers is distinct from n.viewers
  ), gone as (
    delete from announced_content a using compared where compared.path is null and a.oid = compared.oid returning a.oid
  ), is_there as (
    insert into announced_content select oid, uid, parent, path, type, language, viewers from compared where path is not null order by oid
      on conflict (oid) do update set uid = excluded.uid, parent = excluded.parent, path = excluded.path, type = excluded.type,
        language = excluded.language, viewers = excluded.viewers
      returning oid
  ), held as materialized (
    select oid from gone union all select oid from is_there
  )
  -- The numbers of the events are given when all rows are held.
  insert into content_event (event, oid, uid, type, language_before, language, parent_before, parent, path_before, path, viewers_before,
    viewers)
  select case when not was_there then created_as when path is null then 'removed' when path = path_before then 'rights' else 'moved' end,
    oid, coalesce(uid, uid_before), coalesce(type, type_before), language_before, language, parent_before, parent, path_before, path,
    viewers_before, viewers
  from compared join held using (oid) order by coalesce(path, path_before)
$$;

-- Announces what a transaction has done: [{content, events, below}], and {anything} for what has to be looked for in all content.
create function announce(notes jsonb, dated boolean) returns void language plpgsql as $$
declare
  note jsonb;
  one bigint;
  path_was text;
  path_is text;
begin
  for note in select value from jsonb_array_elements(notes) loop
    one := (note->>'content')::bigint;
    if one is null then
      update content_feed set compared = 0 where compared is distinct from 0;
      continue;
    end if;
    if (note->>'below')::boolean then
      path_was := (select case a.path when '/' then '' else a.path end from announced_content a where a.oid = one);
      path_is := (select case c.path when '/' then '' else c.path end from content c where c.oid = one);
    end if;
    perform announce_object(one, coalesce(note->'events', '[]'), dated);
    if (note->>'below')::boolean then
      perform announce_below(path_was, path_is, dated,
        case when note->'events'->0->>'event' = 'restored' then 'restored' else 'created' end);
    end if;
  end loop;
end
$$;

-- Webhooks (features/webhooks)
create table webhook (
  id text primary key,
  title text not null,
  url text not null,
  enabled boolean not null,
  -- Sees what visitors see, or everything.
  audience text not null,
  events text[] not null,
  types text[] not null,
  languages text[] not null,
  path text,
  -- Everything up to this place of the feed was queued; null begins with what happens from now on.
  position bigint,
  event uuid,
  -- Since when each attempt has failed; null after one that has not.
  failing_since timestamptz,
  paused timestamptz,
  paused_because text,
  created timestamptz not null default now()
);

-- The secrets of a webhook, or of content rules, encrypted. The newest has no end; the one before it is good until its end.
create table webhook_secret (
  id bigint generated always as identity primary key,
  owner text not null,
  sealed text not null,
  until timestamptz
);
create index webhook_secret_owner on webhook_secret (owner);

create table webhook_attempt (
  id bigint generated always as identity primary key,
  webhook text not null references webhook (id) on delete cascade,
  at timestamptz not null default now(),
  -- The id of the message, and its type and path.
  message text not null,
  type text not null,
  path text not null,
  attempt integer not null,
  -- The status of the response; null without one.
  status integer,
  -- Why it has failed; null for success.
  problem text
);
create index webhook_attempt_webhook on webhook_attempt (webhook, id);
