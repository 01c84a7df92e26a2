// Collects the messages of the program, writes locales/canopy.pot and adds what is new to the catalogues: npm run messages.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfStale } from './lib/build.mjs';
import { collectMessages } from './lib/collect-messages.mjs';
import { updateCatalogue, writeTemplate } from './lib/po-files.mjs';
import { ROOT } from './lib/root.mjs';

/** The languages that the program speaks beside English. */
const LANGUAGES = ['de', 'es', 'fr', 'it', 'nl', 'pt_BR', 'sv'];

buildIfStale();
const load = (module) => import(pathToFileURL(join(ROOT, 'dist/src', `${module}.js`)).href);
const messages = await collectMessages(ROOT, load);
writeTemplate(join(ROOT, 'locales/canopy.pot'), messages);
console.log(`locales/canopy.pot: ${messages.size} messages`);
for (const language of LANGUAGES) {
  const path = `locales/${language}/LC_MESSAGES/canopy.po`;
  const missing = updateCatalogue(join(ROOT, path), language, messages);
  console.log(`${path}: ${missing === 0 ? 'complete' : `${missing} without translation`}`);
}
