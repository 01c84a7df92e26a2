/** Passwords: check one that is chosen, hash it, verify it. */
export {
  hashPassword as hash,
  isPasswordHash as isHash,
  passwordProblem as problemOf,
  verifyPassword as verify,
} from '../people/passwords.ts';
