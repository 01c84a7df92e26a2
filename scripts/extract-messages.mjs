// Collects the messages of the program, writes locales/canopy.pot and adds what is new to the catalogues: npm run messages.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfStale } from './lib/build.mjs';
import { collectMessages } from './lib/collect-messages.mjs';
import { LANGUAGES } from './lib/languages.mjs';
import { updateCatalogue, writeTemplate } from './lib/po-files.mjs';
import { ROOT } from './lib/root.mjs';

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
