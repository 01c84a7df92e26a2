/** Secrets that the site has to read again: encrypted in the database, opened with its key. */
export { openSecretBox as open, SecretBox as Box } from '../people/secret-box.ts';
export { loadSecretKey as loadKey } from '../people/statements/secret-keys.ts';
