-- Children `seed.first` to `seed.last` of the folder of many-children.sql, with the words of one that has been indexed.
insert into content (uid, parent, name, path, position, type, review_state, owner, language, created, modified, effective, local_roles, fields)
  select md5('child-' || n), c.parent, 'child-' || n, '/many/child-' || n, n, c.type, c.review_state, c.owner, c.language, now() - n * interval '1 minute',
    now() - n * interval '1 minute', now() - n * interval '1 minute', c.local_roles, jsonb_build_object('title', 'Child ' || n)
  from content c, generate_series(current_setting('seed.first')::int, current_setting('seed.last')::int) n where c.path = '/many/child-50' order by n;

insert into catalog (oid, allowed, inactive_allowed, exclude_from_nav, searchable, sortable_title, subjects, block_types, starts, ends, custom)
  select c.oid, k.allowed, k.inactive_allowed, k.exclude_from_nav, replace(k.searchable::text, '''50'':', format('''%s'':', n))::tsvector,
    replace(k.sortable_title, '000050', lpad(n::text, 6, '0')), k.subjects, k.block_types, k.starts, k.ends, k.custom
  from generate_series(current_setting('seed.first')::int, current_setting('seed.last')::int) n join content c on c.uid = md5('child-' || n)
    join (catalog k join content t on t.oid = k.oid and t.path = '/many/child-50') on true order by n;
