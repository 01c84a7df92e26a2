-- Searches find content by its id from this version on: a job builds the catalog of a site that has content anew. One that waits
-- already does it, too.
insert into job (id, action, params, title, description, as_system, exclusive)
select gen_random_uuid(), 'reindex', '{"type": []}', 'Build the catalog anew',
  'Content is found by its id from this version on.', true, true
where exists (select from catalog)
  and not exists (select from job where action = 'reindex' and params = '{"type": []}' and status = 'created');
