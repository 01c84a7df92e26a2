-- All texts of content are searched from this version on: those of its own fields, of HTML, of pictures and the names of files. A job
-- builds the catalog of a site that has content anew, unless one is waiting to do so.
insert into job (id, action, params, title, description, as_system, exclusive)
select gen_random_uuid(), 'reindex', '{"type": []}', 'Build the catalog anew',
  'All texts of content are searched from this version on.', true, true
where exists (select from catalog) and not exists (
  select from job where action = 'reindex' and params::jsonb = '{"type": []}' and status = 'created'
);
