-- Values of fields in the form in which ranges of them are searched: one row for each number and each short text that
-- "catalog.custom" has. An index of jsonb knows single values only.
create table catalog_value (
  oid bigint not null references catalog (oid) on delete cascade,
  -- The field, or the index of an add-on.
  name text collate "C" not null,
  number double precision,
  text text collate "C",
  -- The point in time that the text names, if it does.
  at timestamptz,
  primary key (oid, name)
);
create index catalog_value_number on catalog_value (name, number) where number is not null;
create index catalog_value_text on catalog_value (name, text) where text is not null;
create index catalog_value_at on catalog_value (name, at) where at is not null;

-- "custom" had the values of declared indexes only; from now on it has those of all fields but the ones that the core's
-- own indexes are made of, so that an index that is declared later needs no reindex. The same rule is in
-- src/catalog/kept-values.ts. The words of single fields come with the next change or a reindex.
update catalog k set custom = k.custom || f.kept
  from (
    select c.oid, jsonb_object_agg(e.key, case jsonb_typeof(e.value) when 'array' then l.texts else e.value end) as kept
    from content c
      cross join lateral jsonb_each(c.fields - array['title', 'description', 'subjects', 'text', 'blocks', 'blocks_layout',
        'exclude_from_nav', 'relatedItems', 'start', 'end', 'effective', 'expires', 'language', 'id']) e
      cross join lateral (
        select jsonb_agg(i.item order by i.place) as texts
        from (
          select item, place from jsonb_array_elements(case jsonb_typeof(e.value) when 'array' then e.value else '[]' end)
            with ordinality a(item, place)
          where jsonb_typeof(item) = 'string' and length(item #>> '{}') between 1 and 500 order by place limit 500
        ) i
      ) l
    where e.key ~ '^[A-Za-z][A-Za-z0-9_-]{0,99}$' and case jsonb_typeof(e.value)
      when 'boolean' then true when 'number' then true when 'array' then l.texts is not null
      when 'string' then length(e.value #>> '{}') between 1 and 500 else false end
    group by c.oid
  ) f
  where f.oid = k.oid;

insert into catalog_value (oid, name, number, text, at)
  select k.oid, e.key, case jsonb_typeof(e.value) when 'number' then e.value::float8 end, t.text,
    case when to_char(d.at at time zone 'UTC', 'YYYY-MM-DD') = left(t.text, 10) then d.at end
  from catalog k cross join lateral jsonb_each(k.custom) e
    cross join lateral (select case jsonb_typeof(e.value) when 'string' then e.value #>> '{}' end as text) t
    -- Days are counted from the first of the month: one that the calendar does not have must not break off the migration.
    cross join lateral (
      select case when t.text ~ '^(?!0000)\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z)?$'
        then ((left(t.text, 8) || '01')::timestamp + (substr(t.text, 9, 2)::int - 1) * interval '1 day'
          + coalesce(nullif(substr(t.text, 12, 12), ''), '00:00')::interval) at time zone 'UTC' end as at
    ) d
  where jsonb_typeof(e.value) in ('number', 'string');
