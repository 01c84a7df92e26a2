import { callerFor } from '../../src/security/caller.ts';
import { manager } from '../content/make.ts';

export const ADMIN = manager();

/** Somebody who has no rights but those that are shared with her. */
export const ANN = callerFor({ id: 'ann', login: 'ann', fullname: '', roles: ['Member'], groups: ['staff'] });
