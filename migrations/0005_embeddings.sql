-- What objects are about, as a vector of a language model. Made after the write, so an object may be without one.
create table embedding (
  oid bigint primary key references content (oid) on delete cascade,
  model text not null,
  -- When the object had been changed last, as far as the vector knows.
  modified timestamptz not null,
  -- One bit for each number of the vector, set where it is above zero: near vectors differ in few of them.
  signs bit varying not null,
  -- Of length 1: the product of two is their cosine.
  vector real[] not null
);
