-- Parts `seed.first` to `seed.last` of each folder of seed.sql, with 48 pages each. Their rows of the catalog are those of pages with
-- the same words, which have been indexed, but for their numbers: what indexing them would write, in a twentieth of the time.
insert into content (uid, parent, name, path, position, type, review_state, owner, language, created, modified, effective, local_roles, fields)
  select md5(f.path || '/part-' || p), f.oid, 'part-' || p, f.path || '/part-' || p, p, 'Folder', 'published', 'admin', 'en', now(), now(), now(), '{}',
    jsonb_build_object('title', 'Part ' || p, 'description', 'A part of ' || f.name)
  from content f, generate_series(current_setting('seed.first')::int, current_setting('seed.last')::int) p
  where f.path ~ '^/section-\d+/folder-\d+$' order by p, f.oid;

create temp table added_part as
  select p.oid, p.parent, p.path, p.position::int as part, row_number() over (order by p.position, p.parent) as place from content p
  where p.path ~ '^/section-\d+/folder-\d+/part-\d+$' and p.position between current_setting('seed.first')::int and current_setting('seed.last')::int;

-- The number of a part must not be that of its folder, whose words it has as well.
insert into catalog (oid, allowed, inactive_allowed, exclude_from_nav, searchable, sortable_title, subjects, block_types, starts, ends, custom)
  select a.oid, k.allowed, k.inactive_allowed, k.exclude_from_nav, replace(k.searchable::text, format('''%s'':', t.position), format('''%s'':', a.part))::tsvector,
    replace(k.sortable_title, lpad(t.position::text, 6, '0'), lpad(a.part::text, 6, '0')), k.subjects, k.block_types, k.starts, k.ends, k.custom
  from added_part a join content f on f.oid = a.parent
    join content t on t.parent = f.oid and t.name = case f.name when 'folder-8' then 'part-7' else 'part-8' end
    join catalog k on k.oid = t.oid;

-- Beyond its number and that of its needle, a page is like each 33,600th: 300 texts, 1600 words, 50 and 7 tags, 20 users, 48 pages of a part.
-- Numbers up to 100 may be those of tags as well.
create temp table added_page as
  select n.*, t.oid as template, t.number as like_number
  from (select p.oid as parent, p.path, page, (current_setting('seed.first')::int - 1) * 4800 + ((p.place - 1) * 48 + page)::int as number
      from added_part p, generate_series(1, 48) page) n
    join (select substr(name, 6)::int as number, oid from content where name ~ '^page-\d+$' and substr(name, 6)::int between 101 and 33700) t
      on t.number = 101 + (n.number - 101) % 33600;

insert into content (uid, parent, name, path, position, type, review_state, owner, language, created, modified, effective, local_roles, fields, blocks,
    blocks_layout)
  select md5('page-' || a.number), a.parent, 'page-' || a.number, a.path || '/page-' || a.number, a.page, t.type, t.review_state, t.owner, t.language,
    now() - a.number * interval '1 minute', now() - a.number * interval '1 minute',
    case when t.effective is not null then now() - (a.number::bigint * 7919 % 100000) * interval '1 minute' end, t.local_roles,
    t.fields || jsonb_build_object('title', replace(t.fields->>'title', 'Page ' || a.like_number || ' ', 'Page ' || a.number || ' '),
      'description', 'On needle' || a.number / 20), t.blocks, t.blocks_layout
  from added_page a join content t on t.oid = a.template order by a.number;

insert into catalog (oid, allowed, inactive_allowed, exclude_from_nav, searchable, sortable_title, subjects, block_types, starts, ends, custom)
  select c.oid, k.allowed, k.inactive_allowed, k.exclude_from_nav,
    replace(replace(k.searchable::text, format('''%s'':', a.like_number), format('''%s'':', a.number)),
      format('''needle%s'':', a.like_number / 20), format('''needle%s'':', a.number / 20))::tsvector,
    replace(k.sortable_title, lpad(a.like_number::text, 6, '0'), lpad(a.number::text, 6, '0')), k.subjects, k.block_types, k.starts, k.ends, k.custom
  from added_page a join content c on c.uid = md5('page-' || a.number) join catalog k on k.oid = a.template order by a.number;

drop table added_part, added_page;
