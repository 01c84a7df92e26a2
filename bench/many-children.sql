-- A folder `/many` with `seed.children` short pages, beside the documents of seed.sql.
insert into content (uid, parent, name, path, position, type, review_state, owner, language, created, modified, effective, local_roles, fields)
  select md5('many'), oid, 'many', '/many', 100, 'Folder', 'published', 'admin', 'en', now(), now(), now(), '{}', '{"title": "Many"}'
  from content where path = '/';

insert into content (uid, parent, name, path, position, type, review_state, owner, language, created, modified, effective, local_roles, fields)
  select md5('child-' || n), oid, 'child-' || n, '/many/child-' || n, n, 'Page', 'published', 'admin', 'en', now() - n * interval '1 minute',
    now() - n * interval '1 minute', now() - n * interval '1 minute', '{}', jsonb_build_object('title', 'Child ' || n)
  from content, generate_series(1, current_setting('seed.children')::int) n where path = '/many' order by n;
