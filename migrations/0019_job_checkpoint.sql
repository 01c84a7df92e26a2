-- How far a job is, so that another process can go on behind what is done.
alter table job add column checkpoint jsonb;
