import { type Caller, callerFor } from '../../security/caller.ts';

/** The user that works where nobody asked for it. */
export const SYSTEM = 'system';

/** Who a job works as that a Manager or the clock started: it may do everything, whatever has become of the actor. */
export const systemCaller = (actor: string | null): Caller => {
  const id = actor ?? SYSTEM;
  return callerFor({ id, login: id, fullname: '', roles: ['Manager'], groups: [] });
};
