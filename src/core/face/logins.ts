/** Logging in: passwords with the throttle, second factors, sessions. */
export { type AuthContext, checkedPassword, checkPassword } from '../people/login.ts';
export { lacksSecondFactor, type SecondFactor } from '../people/second-factor.ts';
export { endSession, startSession } from '../services/login.ts';
