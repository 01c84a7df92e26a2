import { has, reject } from '../../content/permissions.ts';
import { NotFound } from '../../lib/errors.ts';
import { MANAGE_PORTAL } from '../../security/permissions.ts';
import type { RequestContext } from '../../services/service.ts';
import type { Queryable } from '../../storage/database.ts';
import { findJob, type Job } from './statements/job-rows.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether the caller sees the jobs of everybody. */
export const managesJobs = ({ site, caller, resolved }: RequestContext): boolean =>
  has(site, caller, resolved, MANAGE_PORTAL);

/** Whose jobs the caller sees: undefined for everybody's. Throws Unauthorized for nobody. */
export function jobOwner(context: RequestContext): string | undefined {
  const { caller } = context;
  if (caller.id === null) reject(caller);
  return managesJobs(context) ? undefined : caller.id;
}

/**
 * The job of the address, for managers and for who asked for it; `hold` keeps it as it is until the transaction `db` ends.
 * Throws NotFound for managers; for others Unauthorized or Forbidden, whether there is such a job or not.
 */
export async function requireJob(context: RequestContext, db: Queryable, lockMode = false): Promise<Job> {
  const id = context.rest[0] ?? '';
  const actor = jobOwner(context);
  const job = UUID.test(id) ? await findJob(db, id, { actor, lockMode }) : undefined;
  if (job) return job;
  if (actor !== undefined) reject(context.caller, 'There is no job of yours with this id.');
  throw new NotFound(`/@jobs/${id}`, 'There is no job with this id.');
}
