import { UNCLAIMED, WAKE } from './claim.ts';

/** The name of the kind of jobs in notifications. */
export const JOB = 'job';

/**
 * The parts `waiting` and `queued` of a `with` that enqueue an exclusive job of the system without parameters if a condition holds, unless such a job
 * waits that cannot begin before this transaction ends.
 */
export const ENQUEUE_JOB_ONCE = (action: string, title: string, condition: string): string => `waiting as (
    ${UNCLAIMED(`select from job where action = '${action}' and status = 'created' and ${condition} limit 1`, { mode: 'share' })}
  ), queued as (
    insert into job (id, action, params, title, description, as_system, exclusive)
    select gen_random_uuid(), '${action}', '{}', '${title}', '', true, true
    where ${condition} and not exists (select from waiting)
    returning ${WAKE(JOB)}
  )`;
