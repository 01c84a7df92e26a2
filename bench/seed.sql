-- Documents of a site: ten sections of ten folders, as a menu has them, and below each folder as many parts of 48 pages as
-- `seed.documents`, the number of all of them, asks for; the last parts are empty. A large site has the menu of a small one.
-- They are the same in each run. The catalog is filled by "canopy reindex" afterwards. Each page has `seed.paragraphs`, or eight.
create temp table seed_paragraph as
  select p from generate_series(0, coalesce(nullif(current_setting('seed.paragraphs', true), '')::int, 8) - 1) p;

create temp table seed_word as
  select (row_number() over (order by a.word, b.word) - 1)::int as id, a.word || b.word as word
  from unnest(string_to_array('forest harbour council minute annual report river bridge teacher library open data garden winter festival music theatre road repair water energy school market region museum history science health travel budget election meeting project research village station summer archive craft bakery', ' ')) a (word),
    unnest(string_to_array('forest harbour council minute annual report river bridge teacher library open data garden winter festival music theatre road repair water energy school market region museum history science health travel budget election meeting project research village station summer archive craft bakery', ' ')) b (word);
create unique index on seed_word (id);

create temp table seed_text as
  select t * 8 + p as id, string_agg(w.word, ' ' order by i) as text
  from generate_series(0, 299) t, generate_series(0, 7) p, generate_series(1, 45) i
  join lateral (select word from seed_word where id = (t * 131 + p * 977 + i * i * 17 + i * t * 7) % 1600) w on true
  group by t, p;
create unique index on seed_text (id);

create temp table seed_page as
  select t as id, (select jsonb_object_agg('block-' || p, jsonb_build_object('@type', 'slate', 'plaintext', text,
      'value', jsonb_build_array(jsonb_build_object('type', 'p', 'children', jsonb_build_array(jsonb_build_object('text', text))))))
    from seed_paragraph join seed_text s on s.id = t * 8 + p)::json as blocks,
    (select json_build_object('items', json_agg('block-' || p order by p)) from seed_paragraph) as layout
  from generate_series(0, 299) t;
create unique index on seed_page (id);

create temp table seed_size as
  select documents, parts, documents - 110 - 100 * parts as pages
  from (select documents, ceil((documents - 110) / 4900.0)::int as parts
    from (select current_setting('seed.documents')::int as documents) wanted) sized;

insert into content (uid, parent, name, path, position, type, review_state, owner, language, created, modified, effective, local_roles, fields)
  select md5('section-' || s), root.oid, 'section-' || s, '/section-' || s, s, 'Folder', 'published', 'admin', 'en', now(), now(), now(), '{}',
    jsonb_build_object('title', 'Section ' || s, 'description', 'A section of the site')
  from generate_series(1, 10) s, (select oid from content where path = '/') root order by s;

insert into content (uid, parent, name, path, position, type, review_state, owner, language, created, modified, effective, local_roles, fields)
  select md5(c.path || '/folder-' || f), c.oid, 'folder-' || f, c.path || '/folder-' || f, f, 'Folder', 'published', 'admin', 'en', now(), now(), now(), '{}',
    jsonb_build_object('title', 'Folder ' || f, 'description', 'A folder of ' || c.name)
  from content c, generate_series(1, 10) f where c.path ~ '^/section-\d+$' order by c.oid, f;

insert into content (uid, parent, name, path, position, type, review_state, owner, language, created, modified, effective, local_roles, fields)
  select md5(c.path || '/part-' || p), c.oid, 'part-' || p, c.path || '/part-' || p, p, 'Folder', 'published', 'admin', 'en', now(), now(), now(), '{}',
    jsonb_build_object('title', 'Part ' || p, 'description', 'A part of ' || c.name)
  from content c, generate_series(1, (select parts from seed_size)) p where c.path ~ '^/section-\d+/folder-\d+$' order by c.oid, p;

-- Every second page is private, and each belongs to one of 20 users. The word needle<n> stands in 20 pages.
insert into content (uid, parent, name, path, position, type, review_state, owner, language, created, modified, effective, local_roles, fields, blocks,
    blocks_layout)
  select md5('page-' || n.number), n.oid, 'page-' || n.number, n.path || '/page-' || n.number, n.page, case n.page % 8 when 0 then 'News Item' else 'Page' end,
    case n.number % 2 when 0 then 'published' else 'private' end, 'user-' || n.number % 20, 'en', now() - n.number * interval '1 minute', now() - n.number * interval '1 minute',
    case n.number % 2 when 0 then now() - (n.number * 7919 % 100000) * interval '1 minute' end,
    jsonb_build_object('user:user-' || n.number % 20, jsonb_build_array('Owner')),
    jsonb_build_object('title', 'Page ' || n.number || ' about ' || w.word, 'description', 'On needle' || n.number / 20,
      'subjects', jsonb_build_array('tag-' || n.number % 50, 'tag-' || n.number % 7)), p.blocks, p.layout
  from (select c.oid, c.path, page, row_number() over (order by c.oid, page)::int as number
      from content c, generate_series(1, 48) page where c.path ~ '/part-\d+$') n
    join seed_page p on p.id = n.number % 300 join seed_word w on w.id = n.number % 1600
  where n.number <= (select pages from seed_size)
  order by n.number;

drop table seed_word, seed_text, seed_paragraph, seed_page, seed_size;
