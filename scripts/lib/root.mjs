import { fileURLToPath } from 'node:url';

/** Directory of this repository, without a slash at its end. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
