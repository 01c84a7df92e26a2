/** Secrets that the site has to read again: they are encrypted in the database, and opened with the key of the site. */
export { openSecretBox as open, SecretBox as Box } from '../people/secret-box.ts';
export { loadSecretKey as loadKey } from '../people/statements/secret-keys.ts';
