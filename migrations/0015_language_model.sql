-- Questions to the language model, for the limits of each caller: those of the last hour, and those that are being answered.
create table model_use (
  caller text primary key,
  asked timestamptz[] not null,
  answering timestamptz[] not null,
  latest timestamptz not null
);
create index model_use_latest on model_use (latest);
