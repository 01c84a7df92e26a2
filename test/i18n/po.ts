import { readFileSync } from 'node:fs';
import { po } from 'gettext-parser';

/** The English texts of a PO file, with those that have no translation. */
export const messagesOf = (path: string): string[] =>
  Object.keys(po.parse(readFileSync(path)).translations[''] ?? {}).filter((id) => id !== '');
