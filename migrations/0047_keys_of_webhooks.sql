-- Receivers tell attempts of one request from other requests by this key. The number of a row is the same on another site that
-- calls the same receiver; a random key is not.
alter table webhook_outbox add column key uuid not null default gen_random_uuid();
