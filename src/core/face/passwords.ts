/** Passwords: check a new password, hash it, verify it. */
export {
  hashPassword as hash,
  isPasswordHash as isHash,
  passwordProblem as problemOf,
  verifyPassword as verify,
} from '../people/passwords.ts';
