import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The folders of src/, top first, as src/README.md draws them: each may import from those below it only. Those of the core are its rooms. */
const LAYERS = [...readFileSync(join(ROOT, 'src/README.md'), 'utf8').matchAll(/^ {1,3}([a-z0-9]+) {2,}\S/gm)].flatMap(
  ([, name]) => name ?? [],
);
/** Where the parts are put together: they may import everything, and no other layer imports them. */
const ASSEMBLY = new Set(['bin', 'index.ts', 'testing.ts', 'app']);
/** Imports from one feature into another, with their reasons. */
const BETWEEN_FEATURES: Record<string, string> = {
  'access-tokens → people': 'tokens of others are revoked by those who may change their users',
  'add-ons → jobs': 'jobs of an add-on that is uninstalled go with it',
  'add-ons → upgrades': 'content follows the types and workflows of add-ons as those of the profile',
  'ai → related': 'what a question is about is found by the vectors that `@related` keeps',
  'backup → jobs': 'a scheduled job makes backups, and one that was running is in none that is restored',
  'backup → monitoring': 'a backup says which version of the program has made it',
  'bulk → jobs': 'many objects are changed by a job',
  'bulk → relations': 'content that other content links to is kept by the same rule',
  'bulk → replace': 'text of many objects is replaced as of one',
  'bulk → transactions': 'a report has the numbers of the transactions by which it is undone',
  'comments → people': 'visitors who comment are limited like those who register',
  'content-rules → webhooks': 'requests of rules are sent and signed as those of webhooks',
  'explain-access → access-tokens': 'a token of the user who asks is explained by its limits',
  'explain-access → people': 'users and groups that access is explained for are loaded by their own statements',
  'html-pages → exports': 'blocks are read by the same rules as in Markdown documents',
  'html-pages → preview-links': 'links of pages keep the parameter of a token',
  'html-pages → releases': 'links of pages keep the token of a release, which begins with its own prefix',
  'import → comments': 'imported comments are rows of the same table',
  'import → history': 'imported versions are rows of the same table',
  'import → jobs': 'an uploaded export is imported by a job',
  'import → site-export': 'what `canopy export` has written is brought back by its own reader',
  'mcp → openid': 'agents come with access tokens of the providers that people log in with',
  'monitoring → upgrades': '`@system` says whether an upgrade waits',
  'openid → people': 'users, roles and groups follow the claims of the provider',
  'openid → setup': 'providers are a part of the set-up of the site, changed by the same rules',
  'people → email': 'messages to users are limited and sent as those to the site',
  'promote → jobs': 'a large plan is applied by a job',
  'promote → people': 'local roles are given to users and groups that exist',
  'promote → setup':
    'the set-up travels in the files that `canopy setup export` writes, and is changed by the same rules',
  'promote → site-export': 'an export is compared by bringing it into a site of its own with its own reader',
  'proposals → preview-links': 'links to previews have one rule for their title and their end',
  'proposals → promote': 'a plan in a proposal is read in its own form',
  'releases → preview-links': 'links to previews have one rule, and bring their token in the same parameter',
  'releases → proposals': 'parts are writes that are rehearsed, merged and shown by the same rules',
  'releases → recycle-bin': 'content in the bin gets its former states back, too',
  'releases → relations': 'links that would break are found by the same rule',
  'releases → setup': 'the set-up that a release has changed is given back by the rules by which set-up travels',
  'releases → transactions': 'a release is undone by the transaction that it went live by',
  'scheduled-transitions → people': 'who asked for a transition that is refused is told by mail',
  'setup → people': 'a role is removed only when no user and no group has it',
  'setup → recycle-bin': 'content in the bin is brought to another workflow with the rest',
  'setup → upgrades': 'content follows a new set-up as it follows an upgrade',
  'sharing → people': 'roles are given to existing users and groups',
  'site-export → backup': 'an export reads a copy of the embedded database, which is made as for a backup',
  'site-export → jobs': 'an export for download is made by a job',
  'transactions → aliases': 'addresses that were added or removed are given back by the same rules',
  'transactions → audit-log': 'entries of the audit log are written by the statement that records the transaction',
  'transactions → changes': 'events for the feed are written by the statement that records the transaction',
  'transactions → recycle-bin': 'what was created is undone into the bin, and what was deleted from it',
  'transactions → sharing': 'local roles are given back by the same rules',
  'transactions → translations': 'links between translations are undone by the same rules',
  'two-factor → people': 'the second factor of others is taken away by those who may change their users',
  'type-editor → control-panels': 'its panel is described like all others',
  'type-editor → upgrades': 'content is indexed by the fields of a changed type as after an upgrade',
  'upgrades → jobs': 'content is brought to another workflow in the background',
  'webhooks → changes': 'webhooks are readers of the feed of changes',
};
const MAX_LINES = 400;
/** File with the names of the core that features may use. Its length has no limit. */
const FACE = 'src/core/index.ts';

/** Packages that more than one folder may import, with the reason. */
const SHARED_PACKAGES: Record<string, string> = {
  jose: 'tokens are verified where their keys are: those of the site, and those of providers',
  'modern-tar': 'archives are written and read where they belong: backups, and the database of new sites',
  '@canopy-server/site-reader': 'the contract of readers: features bring some, and imports take them',
  'lru-cache': 'every cache in memory is bounded by it',
  re2js: 'patterns of fields and those of replacements are searched in linear time',
  typebox: 'the schema language of services, their registry and what checks them',
};
/** Packages that no file imports by name, with the reason. */
const NOT_IMPORTED: Record<string, string> = {
  '@types/mdast': 'imported as `mdast`, which has types only',
};
/** Variables of modules that change while the process runs, with the reason. Everything else belongs to the kernel. */
const MODULE_STATE: Record<string, string> = {
  'src/app/import-package.ts: installed': 'Node has one list of import hooks for a process',
  'src/core/configuration/panels/content.ts: known': 'belongs to the site that is its key',
  'src/core/configuration/panels/languages.ts: offered': 'remembers names of languages, which never change',
  'src/core/configuration/panels/panel.ts: known': 'belongs to the settings that are its key',
  'src/core/configuration/panels/site.ts: decoded': 'belongs to the site that is its key',
  'src/core/configuration/site/localized-site.ts: made': 'belongs to the site that is its key',
  'src/core/content/blocks/transforms.ts: collected': 'belongs to the registry that is its key',
  'src/core/content/fields/json.ts: withoutUids': 'remembers frozen values, which never change',
  'src/core/content/unique-values.ts: known': 'belongs to the site that is its key',
  'src/core/files/images/open-scale.ts: inTheMaking': 'belongs to the blob store that is its key',
  'src/core/http/request-address.ts: known': 'remembers addresses by all that they depend on',
  'src/core/i18n/languages.ts: namesByDisplay': 'remembers names of languages, which never change',
  'src/core/i18n/languages.ts: ownNames': 'remembers names of languages, which never change',
  'src/core/search/prepared-search.ts: prepared': 'belongs to the types that are its key',
  'src/core/search/strategies/find-all.ts: names': 'remembers names by the texts of statements, which never change',
  'src/core/search/text-query.ts: parsed': 'remembers parsed texts, which never change',
  'src/core/serializer/components/actions.ts: parts': 'remembers the parts of texts, which never change',
  'src/core/services/openapi/document.ts: version': 'remembers the version of the program, which never changes',
  'src/core/services/openapi/endpoint.ts: built': 'belongs to the registry that is its key',
  'src/core/services/openapi/endpoint.ts: typed':
    'the descriptions with the content types of a site, by its configuration: bounded, and gone with it',
  'src/database/pglite/engine-code.ts: code': 'remembers the compiled engine, which never changes',
  'src/features/exports/calendar.ts: knownZones': 'belongs to the site that is its key',
  'src/features/mcp/serve.ts: inputs': 'belongs to the tools that are its keys',
  'src/features/translations/shared-fields.ts: known': 'belongs to the site that is its key',
  'src/lib/frozen-json.ts: texts': 'remembers frozen values, which never change',
  'src/lib/process/compiled-code.ts: keep': 'the code of the whole process, which loads before there is a kernel',
  'src/lib/process/first-work.ts: held': 'belongs to the database that is its key',
  'src/lib/text/safe-pattern.ts: compiled': 'remembers what patterns are compiled to, which never changes',
  'src/lib/unparsed-json.ts: collected': 'the texts of the body that is being written, within one call',
  'src/lib/unparsed-json.ts: members': 'remembers keys and properties by the names of members, which never change',
};
/** A variable of a module that can be assigned, or a collection that begins empty. Names in capitals are constants. */
const STATE =
  /^(?:export )?(?:let (\w+)|const (?:(\w+)(?:: [^=\n]+)? = new (?:Map|Set|WeakMap|WeakSet|LRUCache)\b(?:<[^()]*>)?\((?:\)|\{)|([a-z]\w*)(?:: [^=\n]+)? = (?:\[\]|\{\});))/gm;

/** Declared packages by the name under which they are imported, where the two differ. */
const TYPES_OF: Record<string, string> = { mdast: '@types/mdast' };

/** Where SQL may stand. */
const SQL_HOME =
  /^src\/(?:database|core\/search|core\/cache|core\/[\w-]+\/statements|features\/[\w-]+\/statements)(?:\/|\.ts$)/;
const QUERY_WITH_TEXT =
  /\b(?:(?:query|script)\s*(?:<[^>(]*>)?\(|(?:firstRow|hasRows)\s*(?:<[^>(]*>)?\(\s*\w+,)\s*[{`'"]/;
const SQL_IN_QUOTES =
  /[`'"]\s*(?:insert into |delete from |update \w+\s+set |create (?:table|index) |with \w+ as \(|select [^`'"]{1,500}? from )/i;

type Source = { path: string; text: string; folder: string };

/** The layer of a file: its folder below src/, of the core the room. */
function layerAt(path: string): string {
  const [top = '', folder = '', room = ''] = path.split('/');
  if (top !== 'src') return top;
  return folder === 'core' && room !== 'index.ts' ? room : folder;
}

function sourcesIn(folder: string): Source[] {
  const start = join(ROOT, folder);
  if (!existsSync(start)) return [];
  return readdirSync(start, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => {
      const path = join(folder, name).split(sep).join('/');
      return { path, text: readFileSync(join(ROOT, path), 'utf8'), folder: layerAt(path) };
    });
}

/** A source without its template literals, which may contain code of another module. */
const withoutTemplates = (text: string): string => text.replaceAll(/`(?:\\.|[^`\\])*`/gs, '``');

/** Returns the modules that a file imports, exports from or imports dynamically. */
function importsOf(text: string): string[] {
  const found = text.matchAll(
    /^\s*(?:import|export)\b[^;'"]*?from\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm,
  );
  return [...found].map(([, from, bare, dynamic]) => from ?? bare ?? dynamic ?? '');
}

function packageOf(specifier: string): string | undefined {
  if (/^(?:[.#]|node:)/.test(specifier)) return undefined;
  const [first = '', second = ''] = specifier.split('/');
  return first.startsWith('@') ? `${first}/${second}` : first;
}

/** The layer of an imported file; undefined for packages. The face of the core is a layer above all of its rooms. */
function layerOf(source: Source, specifier: string): string | undefined {
  if (specifier === '#core') return 'core';
  if (specifier.startsWith('#lib/')) return 'lib';
  if (!specifier.startsWith('.')) return undefined;
  return layerAt(
    relative(ROOT, resolve(ROOT, dirname(source.path), specifier))
      .split(sep)
      .join('/'),
  );
}

const sources = [...sourcesIn('src'), ...sourcesIn('bin')];
/** The contract of readers, and readers: packages of their own. */
const CONTRACT = '@canopy-server/site-reader';
const READERS = readdirSync(join(ROOT, 'packages')).filter((name) =>
  /^(?:site-reader|.+-export|.+-reader)$/.test(name),
);
const reader = READERS.flatMap((name) => sourcesIn(`packages/${name}/src`));

/** The names that a module exports, in lists and by declarations. */
const namesIn = (text: string): string[] => [
  ...[...text.matchAll(/^export (?:type )?\{([^}]+)\}/gm)]
    .flatMap(([, list = '']) => list.split(','))
    .map((name) =>
      name
        .trim()
        .replace(/^type /, '')
        .replace(/^.* as /, ''),
    )
    .filter((name) => name !== ''),
  ...[...text.matchAll(/^export (?:async )?(?:function\*?|const|class|type|interface) (\w+)/gm)].map(
    ([, name = '']) => name,
  ),
];

/** True if a feature uses a member of a group of the face. */
const isUsed = (group: string, member: string): boolean => {
  const use = new RegExp(`\\b${group}\\s*\\.\\s*${member}\\b`);
  return sources.some(({ folder, text }) => folder === 'features' && use.test(text));
};

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The packages that the package of a folder depends on, its types by the names under which they are imported. */
function dependenciesIn(folder: string): string[] {
  const manifest: unknown = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
  if (!isRecord(manifest)) return [];
  const lists = folder === '.' ? [manifest.dependencies] : [manifest.dependencies, manifest.devDependencies];
  const names = lists.flatMap((list) => (isRecord(list) ? Object.keys(list) : []));
  return folder === '.' ? names : names.map((name) => name.replace(/^@types\//, ''));
}

const dependencies = (): string[] => dependenciesIn('.');

describe('the layers of src/', () => {
  it('all layers of src/ are drawn in src/README.md', () => {
    expect(LAYERS).toContain('features');
    const foldersIn = (path: string) =>
      readdirSync(join(ROOT, path)).filter((name) => statSync(join(ROOT, path, name)).isDirectory());
    const folders = [...foldersIn('src'), ...foldersIn('src/core')];
    expect(folders.filter((folder) => !LAYERS.includes(folder) && !ASSEMBLY.has(folder))).toEqual([]);
  });

  it('layers import only from layers below them', () => {
    const wrong = sources
      .filter(({ folder }) => !ASSEMBLY.has(folder))
      .flatMap((source) =>
        importsOf(source.text)
          .map((specifier) => ({ specifier, layer: layerOf(source, specifier) }))
          .filter(({ layer }) => layer !== undefined && layer !== source.folder)
          .filter(({ layer = '' }) => LAYERS.indexOf(layer) <= LAYERS.indexOf(source.folder))
          .map(({ specifier }) => `${source.path} imports ${specifier}`),
      );
    expect(wrong).toEqual([]);
  });

  it('features import of the core only its face, and none of the database', () => {
    const wrong = sources
      .filter(({ folder }) => folder === 'features')
      .flatMap((source) =>
        importsOf(source.text)
          .filter((specifier) => specifier.startsWith('.') && layerOf(source, specifier) !== 'features')
          .map((specifier) => `${source.path} imports ${specifier}`),
      );
    expect(wrong).toEqual([]);
  });

  it('the names of the face and the members that features use are those of test/face.txt, so that growth is seen', async () => {
    const face = readFileSync(join(ROOT, FACE), 'utf8');
    const groups = [...face.matchAll(/^export \* as (\w+) from '(.+)'/gm)].map(([, group = '', path = '']) => {
      const members = namesIn(readFileSync(join(ROOT, dirname(FACE), path), 'utf8')).filter((member) =>
        isUsed(group, member),
      );
      return `${group}: ${members.sort().join(', ')}`;
    });
    const names = [...namesIn(face), ...groups].sort();
    await expect(`${names.join('\n')}\n`).toMatchFileSnapshot('face.txt');
  });

  it('features import each other only for the listed reasons', () => {
    const featureOf = (path: string) => /^src\/features\/([\w-]+)\//.exec(path)?.[1];
    const pairs = sources.flatMap((source) =>
      importsOf(source.text)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) =>
          relative(ROOT, resolve(ROOT, dirname(source.path), specifier))
            .split(sep)
            .join('/'),
        )
        .map((target) => [featureOf(source.path), featureOf(target)])
        .filter(([from, to]) => from !== undefined && to !== undefined && from !== to)
        .map(([from, to]) => `${from} → ${to}`),
    );
    expect([...new Set(pairs)].sort()).toEqual(Object.keys(BETWEEN_FEATURES));
  });

  it(`no file has more than ${MAX_LINES} lines`, () => {
    const lines = ({ text }: Source) => text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
    expect(
      [...sources, ...reader]
        .filter((source) => source.path !== FACE && lines(source) > MAX_LINES)
        .map(({ path }) => path),
    ).toEqual([]);
  });

  it('modules keep no state, except for the listed reasons', () => {
    const found = [...sources, ...reader].flatMap(({ path, text }) =>
      [...withoutTemplates(text).matchAll(STATE)].map((match) => `${path}: ${match.slice(1).find(Boolean)}`),
    );
    expect(found.sort()).toEqual(Object.keys(MODULE_STATE));
  });

  it('SQL is only in database, search, cache, and the statements of rooms and features', () => {
    const elsewhere = sources.filter(({ path }) => !SQL_HOME.test(path));
    const withSql = elsewhere.filter(({ text }) => QUERY_WITH_TEXT.test(text) || SQL_IN_QUOTES.test(text));
    expect(withSql.map(({ path }) => path)).toEqual([]);
  });
});

describe('the readers of other systems', () => {
  it('import nothing of the server, and of packages only those that they depend on', () => {
    const wrong = reader.flatMap(({ path, text }) =>
      importsOf(text)
        .filter((specifier) => !/^(?:\.\/(?:blocks\/)?[\w-]+\.ts|node:[\w/]+)$/.test(specifier))
        .filter((specifier) => !dependenciesIn(path.split('/').slice(0, 2).join('/')).includes(specifier))
        .map((specifier) => `${path} imports ${specifier}`),
    );
    expect(reader.length).toBeGreaterThan(0);
    expect(wrong).toEqual([]);
  });

  it('are loaded by an import, not by the start of the server', () => {
    // Types leave no import in the program that runs.
    const loaded = new Map(
      sources.map(({ path, text }) => [path, text.replaceAll(/^import type [^;]+;|\bimport\(/gms, '')]),
    );
    const seen = new Set<string>();
    const pending = ['src/app/run-command.ts'];
    for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
      if (seen.has(path)) continue;
      seen.add(path);
      for (const specifier of importsOf(loaded.get(path) ?? ''))
        if (specifier.startsWith('.'))
          pending.push(
            relative(ROOT, resolve(ROOT, dirname(path), specifier))
              .split(sep)
              .join('/'),
          );
    }
    expect(seen).toContain('src/features/import/command.ts');
    const isLoaded = (path: string) =>
      [CONTRACT, '@canopy-server/plone-export'].some((name) => loaded.get(path)?.includes(name));
    expect([...seen].filter(isLoaded)).toEqual([]);
  });
});

describe('the queue', () => {
  it('work is claimed by the queue alone: nothing else says "skip locked"', () => {
    const wrong = sources.filter(
      ({ path, text }) => !path.startsWith('src/core/queue/') && /skip\s+locked/i.test(text),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });
});

describe('dependencies', () => {
  const users = new Map<string, Set<string>>();
  for (const { text, folder } of sources) {
    for (const name of importsOf(text).map(packageOf)) {
      if (name !== undefined) users.set(name, (users.get(name) ?? new Set()).add(folder));
    }
  }

  it('each dependency is imported from one folder', () => {
    const shared = [...users].filter(([name, folders]) => folders.size > 1 && !(name in SHARED_PACKAGES));
    expect(shared.map(([name, folders]) => `${name}: ${[...folders].sort().join(', ')}`)).toEqual([]);
  });

  it('imported dependencies are declared in package.json, and declared ones are imported', () => {
    const declared = dependencies();
    expect([...users.keys()].filter((name) => !declared.includes(TYPES_OF[name] ?? name))).toEqual([]);
    expect(declared.filter((name) => !users.has(name) && !(name in NOT_IMPORTED))).toEqual([]);
  });

  it('docs/dependencies.md has a line for each dependency, with the folders that import it', () => {
    const reasons = readFileSync(join(ROOT, 'docs/dependencies.md'), 'utf8');
    const said = Object.fromEntries(
      [...reasons.matchAll(/^\| `([^`]+)` \| ([^|]+) \| [^|]+ \|$/gm)].map(([, name, folders]) => [name, folders]),
    );
    const used = dependencies().map((name) => {
      const folders = users.get(Object.keys(TYPES_OF).find((alias) => TYPES_OF[alias] === name) ?? name) ?? [];
      return [name, [...folders].sort().join(', ')];
    });
    expect(said).toEqual(Object.fromEntries(used));
  });
});
