import { callerFor } from '../../src/core/security/caller.ts';
import { manager } from '../content/make.ts';

export const ADMIN = manager();

/** A user without global roles, who has only the rights from sharing. */
export const ANN = callerFor({ id: 'ann', login: 'ann', fullname: '', roles: ['Member'], groups: ['staff'] });
