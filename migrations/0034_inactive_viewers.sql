-- Who may see content before and after its dates of publication, on sites where these act. Older content gets it when the catalog is
-- built anew; until then the lists of such a site show it to nobody outside of its dates.
alter table catalog add column inactive_allowed text[] not null default '{}';
insert into job (id, action, params, title, description, as_system, exclusive)
select gen_random_uuid(), 'reindex', '{"type": []}', 'Build the catalog anew',
  'Lists know who sees content outside of its dates of publication from this version on.', true, true
where exists (select from catalog) and not exists (
  select from job where action = 'reindex' and params = '{"type": []}' and status = 'created'
);
