// Stores fast machine code of the embedded engine beside the program; the build runs it last, with --no-liftoff. A start that has to compile the engine
// takes a third more of the processor's time, and its first requests wait for the compiler. The code is of the functions that are called here.
import { join } from 'node:path';
import { engineCode, readEngine } from '../dist/src/database/pglite/engine-code.js';
import { storeEngine } from '../dist/src/database/pglite/stored-engine.js';
import { startSite } from '../dist/src/testing.js';
import { ROOT } from './lib/root.mjs';

/** Requests of an editor, and of visitors afterwards. */
const CHANGES = [
  ['POST', '/', { '@type': 'Folder', title: 'A folder' }],
  ['POST', '/a-folder', { '@type': 'Page', title: 'A page', description: 'Its description' }],
  ['PATCH', '/a-folder/a-page', { title: 'Another title' }],
  ['POST', '/@copy', { source: '/a-folder/a-page' }],
  ['POST', '/@move', { source: '/a-folder/a-page' }],
  ['POST', '/a-page/@workflow/publish', {}],
  ['DELETE', '/a-folder'],
];
const READS = [
  '/',
  '/a-page?expand=breadcrumbs,navigation,actions',
  '/@search?SearchableText=title',
  '/@search?portal_type=Page&sort_on=modified',
  '/@search?path.depth=1&metadata_fields=_all',
].map((path) => ['GET', path]);

const site = await startSite();
async function send(as, requests) {
  for (const [method, path, json] of requests) {
    const { status } = await site.request(method, path, { as, json });
    if (status >= 400) throw new Error(`${method} ${path} as ${as}: ${status}`);
  }
}
await send('admin', [...CHANGES, ...READS]);
await send('anonymous', READS);
await site.close();
storeEngine(join(ROOT, 'dist/engine-code'), readEngine(), await engineCode());
