-- Words are indexed without accents, and pairs of characters where no spaces part words: a job builds the catalog of a site that has
-- content anew. Until it has come by, accented words of older content are not found.
insert into job (id, action, params, title, description, as_system, exclusive)
select gen_random_uuid(), 'reindex', '{"type": []}', 'Build the catalog anew',
  'Words are searched without accents from this version on.', true, true
where exists (select from catalog);
