-- Links that stand only in fields which not everybody may read are in no list of relations, of content that was indexed since that is so.
-- A job does it for older content: of the types that have such fields, or of all where a behavior has them, for a behavior has several
-- names. Nothing is to be done where all content is going to be indexed anyway.
with closed as (
  select kind, id from configuration, jsonb_each(case when jsonb_typeof(data->'properties') = 'object' then data->'properties' end) field
  where kind in ('type', 'behavior')
    -- The note on a change is no part of content.
    and (field.value ? 'read_permission' or field.value->'writeOnly' = 'true' and field.key <> 'changeNote')
), concerned as (
  select distinct c.type from content c join reference r on r.source = c.oid
  where r.relation = 'isReferencing' and exists (select from closed where kind = 'behavior' or id = c.type)
)
insert into job (id, action, params, title, description, as_system, exclusive)
select gen_random_uuid(), 'bring-content', jsonb_build_object('states', '[]'::jsonb, 'types', jsonb_agg(type order by type)),
  'Bring content up to date', 'Links in fields that not everybody may read are in no list of relations from this version on.', true, true
from concerned
where not exists (select from job where action = 'reindex' and params = '{"type": []}' and status = 'created')
having count(*) > 0;
