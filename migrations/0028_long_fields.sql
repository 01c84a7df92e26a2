-- Long fields of content in columns of their own (core/search/statements/long-fields.ts)

-- A column of JSON text goes into a response as it is stored. The other fields stay short, so that a list of objects need not unpack them.
-- Both statements make the rows anew, once: with the new columns, and without the long fields among the others. No trigger fires.
alter table content add column blocks json, add column blocks_layout json, add column text json;

-- A faster compression, where the server has it.
do $$ begin
  alter table content alter column blocks set compression lz4, alter column text set compression lz4;
exception when feature_not_supported or invalid_parameter_value then null;
end $$;

alter table content
  alter column blocks type json using (fields->'blocks')::json,
  alter column blocks_layout type json using (fields->'blocks_layout')::json,
  alter column text type json using (fields->'text')::json,
  alter column fields type jsonb using fields - array['blocks', 'blocks_layout', 'text'];

alter table content add constraint content_long_fields check (not fields ?| array['blocks', 'blocks_layout', 'text']);

-- A row of content as JSON, from a row that an earlier program may have written into the recycle bin or an export.
create function content_row(data jsonb) returns jsonb language sql immutable parallel safe as $$
  select case when data->'fields' ?| array['blocks', 'blocks_layout', 'text'] then data || jsonb_build_object(
    'fields', (data->'fields') - array['blocks', 'blocks_layout', 'text'],
    'blocks', data->'fields'->'blocks', 'blocks_layout', data->'fields'->'blocks_layout', 'text', data->'fields'->'text') else data end
$$;
