-- Notes a change of the objects whose numbers are in the column that the trigger names: rows that hang on content, such as comments.
-- A row without a number, and more than a thousand rows at once, are a change of anything. The start makes such triggers for the
-- tables whose features ask for them: see docs/decisions/0006-response-cache.md.
create function note_object_change() returns trigger language plpgsql as $$
declare
  noted text := coalesce(current_setting('canopy.noted', true), '');
  amount int;
  objects bigint[];
begin
  if noted = 'anything' then
    return null;
  end if;
  if tg_op = 'UPDATE' then
    select count(*), array_agg(distinct (to_jsonb(r)->>tg_argv[0])::bigint) into amount, objects
      from ((select * from was_there limit 501) union all (select * from now_there limit 501)) r;
  elsif tg_op = 'DELETE' then
    select count(*), array_agg(distinct (to_jsonb(r)->>tg_argv[0])::bigint) into amount, objects
      from (select * from was_there limit 1001) r;
  else
    select count(*), array_agg(distinct (to_jsonb(r)->>tg_argv[0])::bigint) into amount, objects
      from (select * from now_there limit 1001) r;
  end if;
  if amount > 1000 or array_position(objects, null) is not null then
    perform note_anything(noted);
  elsif amount > 0 then
    perform note_changed_objects(objects, '{}');
  end if;
  return null;
end
$$;
