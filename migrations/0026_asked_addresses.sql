-- Addresses that visitors ask for most (core/http/warm-up)

-- One row with a list in JSON: a process that starts asks for these addresses itself, so that its caches are filled.
create table asked_addresses (
  single boolean primary key default true check (single),
  list text not null,
  written timestamptz not null
);
