// Joins the modules of the program into few files, dist/bin and dist/bundle; the build runs it after the compiler. A start that loads
// twelve hundred files takes half its time for finding, reading and linking them. So do the hundred and fifty files of the packages for HTTP and the log.

import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { ROOT } from './lib/root.mjs';

/** The modules that are loaded by address: the command, those that packages import, and those that run in threads and processes of their own. */
const ENTRIES = {
  'bin/canopy': 'bin/canopy.ts',
  'bundle/index': 'src/index.ts',
  'bundle/core/index': 'src/core/index.ts',
  'bundle/testing': 'src/testing.ts',
  'bundle/core/files/text/child': 'src/core/files/text/child.ts',
  'bundle/features/replace/replace-thread': 'src/features/replace/replace-thread.ts',
  'bundle/lib/text/clean-html-thread': 'src/lib/text/clean-html-thread.ts',
};

/** Packages that are joined, because each comes in many files or is needed by every start, with the packages that they need. */
const JOINED = [
  '@opentelemetry/api',
  'croner',
  'eventsource-parser',
  'fastify',
  'jose',
  'lru-cache',
  'mrmime',
  'pg-protocol',
  'pg-types',
  'pino',
  's3mini',
  'typebox',
];

/**
 * Modules that joined packages import but the server never uses, each with the package that imports it: the server validates and writes JSON by itself,
 * speaks HTTP/1, and is tested over a port. They stay where they are installed, and are loaded at their first use.
 */
const LATE = {
  '@fastify/ajv-compiler': 'fastify',
  '@fastify/fast-json-stringify-compiler': 'fastify',
  'light-my-request': 'fastify',
  'node:http2': 'fastify',
  'node:https': 'fastify',
};

/** The package of a file in `node_modules`. */
const packageOf = (file) =>
  /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(file)?.[1]?.replace('\\', '/');

/**
 * Says if a module is joined: the program's own, by path or as `#core` and `#lib/…`, one of the packages above, what these need, and the helpers that the
 * bundler itself brings, such as that of templates with `</script>`, which no package has.
 */
const isJoined = (name, importer) =>
  /^[./#]|^@oxc-project\/runtime\//.test(name) ||
  JOINED.some((joined) => name === joined || name.startsWith(`${joined}/`)) ||
  (!isBuiltin(name) && importer !== undefined && packageOf(importer) !== undefined);

/** Says if a module is loaded late. */
const isLate = (name, importer) => importer !== undefined && name in LATE && packageOf(importer) === LATE[name];

const PREFIX = '\0late:';

/** Has the modules above loaded late: each stands for an object whose members load it. */
const late = {
  name: 'late',
  resolveId: (name, importer) => (isLate(name, importer) ? PREFIX + name : undefined),
  load(id) {
    if (!id.startsWith(PREFIX)) return undefined;
    const name = id.slice(PREFIX.length);
    return `const { createRequire } = require('node:module');
const own = createRequire(import.meta.url);
let loaded;
const load = () => (loaded ??= createRequire(own.resolve('${LATE[name]}'))('${name}'));
module.exports = new Proxy(function () {}, {
  get: (_, member) => load()[member],
  apply: (_, self, args) => Reflect.apply(load(), self, args),
});`;
  },
};

/**
 * Writes the characters of code beyond ASCII as escapes, which strings, templates, patterns and names may have. V8 keeps a text of ASCII with one byte a
 * character, and compiles it in four fifths of the time.
 */
const withEscapes = (code) =>
  code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * Has a chunk import packages, and modules of add-ons, by a function in a file of its own: code that was compiled before has no `import` in Node 20,
 * see `useCompiledCode`.
 */
const withImports = (code, file) =>
  file.startsWith('bundle/app/') ? code.replace(/\bimport\(/g, "require('../import.js')(") : code;

/** Takes away the helpers of the bundler where they are loaded without being used: the command loads nothing before it knows the version of Node. */
const withoutEmpty = (code) => code.replace(/^require\("[^"]*\/rolldown-runtime-[^"]*"\);$/m, '');

/** Modules that are loaded without the program: by the command before it, and by threads and processes of their own. */
const APART = [
  'src/core/files/text/child.ts',
  'src/database/pglite/engine-code.ts',
  'src/database/pglite/stored-engine.ts',
  'src/features/replace/replace-thread.ts',
  'src/lib/process/compiled-code.ts',
  'src/lib/text/clean-html-thread.ts',
];

/** Says if a module is loaded with others, which are files in the sources, and is not loaded by its own address. */
function loadedWith(files) {
  let loaded;
  return (id, graph) => {
    if (loaded === undefined) {
      loaded = new Set(files.map((file) => join(ROOT, file)));
      for (const known of loaded)
        for (const needed of graph.getModuleInfo(known)?.importedIds ?? []) loaded.add(needed);
      for (const entry of Object.values(ENTRIES)) loaded.delete(join(ROOT, entry));
    }
    return loaded.has(id);
  };
}

const isApart = loadedWith(APART);
const isProgram = loadedWith(['src/app/run-command.ts']);

/** The file of a module that each start loads. They are two: from one file to another, each use of a name is a call. */
const fileOf = (id, graph) => (isProgram(id, graph) ? (isApart(id, graph) ? 'apart' : 'program') : null);

for (const old of ['dist/bundle', 'dist/compile-cache']) rmSync(join(ROOT, old), { recursive: true, force: true });
const bundle = await rolldown({
  cwd: ROOT,
  input: ENTRIES,
  platform: 'node',
  external: (name, importer) => !name.startsWith(PREFIX) && !isLate(name, importer) && !isJoined(name, importer),
  plugins: [late],
  resolve: { conditionNames: ['source', 'node', 'import'] },
});
const { output } = await bundle.write({
  dir: join(ROOT, 'dist'),
  // CommonJS, so that Node 20 can load it with code that was compiled before (`src/lib/process/compiled-code.ts`).
  format: 'cjs',
  entryFileNames: '[name].js',
  // The depth of a file is that of a module in `src/app`: addresses that are relative to one are right in both.
  chunkFileNames: 'bundle/app/[name]-[hash].js',
  codeSplitting: {
    groups: ['apart', 'program'].map((file) => ({
      debugName: file,
      name: (id, graph) => (fileOf(id, graph) === file ? file : null),
    })),
  },
  comments: false,
  sourcemap: true,
});
await bundle.close();

// The folders of the program are CommonJS in a package of modules.
for (const folder of ['dist/bin', 'dist/bundle'])
  writeFileSync(join(ROOT, folder, 'package.json'), '{ "type": "commonjs" }\n');
writeFileSync(join(ROOT, 'dist/bundle/import.js'), 'module.exports = (address) => import(address);\n');
for (const { fileName } of output.filter(({ type }) => type === 'chunk')) {
  const path = join(ROOT, 'dist', fileName);
  writeFileSync(path, withEscapes(withImports(withoutEmpty(readFileSync(path, 'utf8')), fileName)));
}

/** The packages with a module in the bundle. */
const joined = new Set(
  output.flatMap(({ moduleIds = [] }) => moduleIds.map(packageOf).filter((name) => name !== undefined)),
);
for (const name of joined) {
  const folder = join(ROOT, 'node_modules', name);
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.\w+)?$/i.test(entry));
  const to = join(ROOT, 'dist/bundle', `LICENSE-${name.replace(/^@/, '').replace('/', '-')}`);
  if (file !== undefined) copyFileSync(join(folder, file), to);
  else {
    const { license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    writeFileSync(to, `${name}, ${license}, ${author?.name ?? author}\n`);
  }
}
