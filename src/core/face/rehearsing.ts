/** Writes that are done and undone, with a report of their changes. `dry_run` uses them. */
export { rehearseWithFiles as run } from '../http/dry-run/run-dry.ts';
