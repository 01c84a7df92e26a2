/** Users, and the session tokens that are kept for them. */
export { loadAccount as load, setPassword } from '../people/accounts.ts';
export { endTokens, forgetToken, listTokens } from '../people/statements/tokens.ts';
