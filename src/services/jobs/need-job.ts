import { has, refuse } from '../../content/permissions.ts';
import { NotFound } from '../../lib/errors.ts';
import { MANAGE_PORTAL } from '../../security/permissions.ts';
import type { Queryable } from '../../storage/database.ts';
import { findJob, type Job } from '../../storage/statements/job-rows.ts';
import type { Call } from '../service.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether the caller sees the jobs of everybody. */
export const managesJobs = ({ site, caller, located }: Call): boolean => has(site, caller, located, MANAGE_PORTAL);

/** Whose jobs the caller sees: undefined for everybody's. Throws Unauthorized for nobody. */
export function jobOwner(call: Call): string | undefined {
  const { caller } = call;
  if (caller.id === null) refuse(caller);
  return managesJobs(call) ? undefined : caller.id;
}

/**
 * The job of the address, for managers and for who asked for it; `hold` keeps it as it is until the transaction `db` ends.
 * Throws NotFound for managers; for others Unauthorized or Forbidden, whether there is such a job or not.
 */
export async function needJob(call: Call, db: Queryable, hold = false): Promise<Job> {
  const id = call.rest[0] ?? '';
  const actor = jobOwner(call);
  const job = UUID.test(id) ? await findJob(db, id, { actor, hold }) : undefined;
  if (job) return job;
  if (actor !== undefined) refuse(call.caller, 'There is no job of yours with this id.');
  throw new NotFound(`/@jobs/${id}`, 'There is no job with this id.');
}
