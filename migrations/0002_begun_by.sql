-- The request that a piece of work was begun by: its id, and its header traceparent. Null for work of the server itself.
alter table queue_item add column trace jsonb;
alter table job add column trace jsonb;
