/** Users, and their stored session tokens. */
export { loadAccount as load, setPassword } from '../people/accounts.ts';
export { endTokens, forgetToken, listTokens } from '../people/statements/tokens.ts';
