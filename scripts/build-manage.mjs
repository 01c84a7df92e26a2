// Builds the page for those who run a site, from packages/manage into dist/manage.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { po } from 'gettext-parser';
import { build } from 'vite';
import { textKey } from '../packages/manage/src/lib/text-key.mjs';
import { LANGUAGES } from './lib/languages.mjs';
import { ROOT } from './lib/root.mjs';
import { pageMessages } from './lib/source-messages.mjs';

/** Smaller files are not compressed: there is little to gain. */
const MIN_COMPRESSED_BYTES = 600;
/** The texts of the page, in English. */
const TEXTS = [...pageMessages(ROOT).keys()];
if (new Set(TEXTS.map(textKey)).size < TEXTS.length)
  throw new Error('Two texts of the page have one key: make keys longer');
const CATALOGUE = /^catalogue:(.+)$/;

/** The translations of the texts of the page in their order, by language: the same catalogues as those of the server. */
const catalogues = {
  name: 'catalogues',
  resolveId: (id) => (CATALOGUE.test(id) ? `\0${id}` : undefined),
  load(id) {
    const [, language] = CATALOGUE.exec(id.slice(1)) ?? [];
    if (!id.startsWith('\0') || language === undefined) return undefined;
    const file = join(ROOT, 'locales', language, 'LC_MESSAGES/canopy.po');
    const { translations } = po.parse(readFileSync(file));
    const lines = TEXTS.map((text) => translations['']?.[text]?.msgstr[0] ?? '');
    const broken = lines.find((line) => line.includes('\n'));
    if (broken !== undefined) throw new Error(`A text of the page has several lines in ${file}: ${broken}`);
    return `export default ${JSON.stringify(lines.join('\n'))};`;
  },
};

/** Loads a catalogue by its language: one chunk for each. */
const loaders = {
  name: 'catalogue-loaders',
  resolveId: (id) => (id === 'virtual:catalogues' ? '\0catalogues' : undefined),
  load(id) {
    if (id !== '\0catalogues') return undefined;
    const entries = LANGUAGES.map(
      (language) =>
        `${JSON.stringify(language.replace('_', '-').toLowerCase())}: () => import('catalogue:${language}')`,
    );
    const keys = JSON.stringify(TEXTS.map(textKey).join(''));
    return `export const keys = ${keys}; export const catalogues = { ${entries.join(', ')} };`;
  },
};

await build({
  root: join(ROOT, 'packages/manage'),
  configFile: false,
  logLevel: 'warn',
  base: './',
  publicDir: false,
  plugins: [catalogues, loaders],
  // A package above may have another version: the page has one React.
  resolve: {
    dedupe: ['react', 'react-dom'],
    alias: { '@canopy-server/client': join(ROOT, 'packages/client/src/index.ts') },
  },
  build: {
    outDir: join(ROOT, 'dist/manage'),
    emptyOutDir: true,
    target: 'es2022',
    // The first versions with `light-dark()`.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    manifest: 'manifest.json',
    license: { fileName: 'LICENSES.md' },
    // A script element of its own, inline, would be against the policy of the page.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: { input: join(ROOT, 'packages/manage/src/main.tsx') },
  },
});

// Compressed once, as well as possible: the server sends these files as they are.
const folder = join(ROOT, 'dist/manage/assets');
for (const name of readdirSync(folder)) {
  const bytes = readFileSync(join(folder, name));
  if (bytes.length < MIN_COMPRESSED_BYTES) continue;
  writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
  writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes));
}
