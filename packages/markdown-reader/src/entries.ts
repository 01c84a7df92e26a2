import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { groupBy, isFileError, type ProblemLog, uidFromPath } from '@canopy-server/site-reader';
import { lookup } from 'mrmime';
import { type MarkdownText, parseMarkdownText } from './front-matter.ts';
import { languageOf, numberOf, readMetadata, slugOf } from './metadata.ts';
import { byName, type Found, isMarkdown, withoutExtension } from './walk.ts';

/** Maximum size of one text in bytes: it is converted in memory. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024;

/** An object of the source, without its text. */
export type Entry = {
  path: string;
  uid: string;
  kind: 'page' | 'image' | 'file' | 'folder';
  /** The file, relative to the source; of a folder without a page of its own the folder. */
  name: string;
  /** The folder in which links of it begin, relative to the source. */
  folder: string;
  language: string | null;
  /** The texts that are translations of each other have the same one. */
  translationKey: string;
  weight: number | null;
  /** Names of the fields that have a value. */
  keys: string[];
};

export type Entries = {
  /** Containers before what is in them. */
  list: Entry[];
  /** By the names of files and folders, and of files of Markdown also without extension. */
  byName: ReadonlyMap<string, Entry>;
  byPath: ReadonlyMap<string, Entry>;
  position(contentPath: string): number | null;
};

/** Pages that stand for their folder, the most wanted first. */
const FOLDER_PAGES = ['index', '_index', 'readme'];

/** Names of files end with a language, such as `page.de.md`. */
const LANGUAGE_ENDING = /^(.+)\.([a-z]{2}(?:-[a-z]{2})?)$/;

export type Reading = { root: string; problems: ProblemLog };

/** Loads a text of Markdown; undefined when it cannot be read, which is reported. */
export async function loadText({ root, problems }: Reading, name: string): Promise<MarkdownText | undefined> {
  try {
    const bytes = await readFile(path.join(root, name));
    if (bytes.length <= MAX_TEXT_BYTES) {
      const text = parseMarkdownText(bytes.toString('utf8'));
      if (text.error !== null)
        problems.add({ reason: 'unreadable', file: name, message: `The front matter cannot be read: ${text.error}` });
      return text;
    }
    problems.add({
      reason: 'unreadable',
      file: name,
      message: `A text of more than ${MAX_TEXT_BYTES} bytes is not read.`,
    });
  } catch (error) {
    if (!isFileError(error)) throw error;
    problems.add({ reason: 'unreadable', file: name, message: `Cannot be read: ${error.message}` });
  }
  return undefined;
}

/** The page of a folder among its files; undefined when it has none of its own. */
function folderPage(names: readonly string[]): string | undefined {
  for (const wanted of FOLDER_PAGES) {
    const found = names.find((name) => isMarkdown(name) && withoutExtension(name).toLowerCase() === wanted);
    if (found !== undefined) return found;
  }
  return undefined;
}

const base = (name: string): string => name.slice(name.lastIndexOf('/') + 1);
const within = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);
const below = (container: string, id: string): string => (container === '/' ? `/${id}` : `${container}/${id}`);

/** Names of the media types that the types of content hold. */
function kindOf(name: string): 'image' | 'file' {
  return lookup(name)?.startsWith('image/') ? 'image' : 'file';
}

/** Reads the front matter of all texts, and gives each object its place. */
export async function findEntries(found: readonly Found[], reading: Reading): Promise<Entries> {
  const files = new Map<string, string[]>(found.flatMap(({ name, isFolder }) => (isFolder ? [[name, []]] : [])));
  for (const { name, isFolder } of found)
    if (!isFolder) files.get(name.includes('/') ? path.posix.dirname(name) : '')?.push(base(name));
  const folders = [...files.keys()].filter((folder) => hasSomething(folder, files));
  const draft = createDraft(reading);
  for (const folder of folders.sort((a, b) => a.split('/').length - b.split('/').length || byName(a, b)))
    await addFolder(folder, files.get(folder) ?? [], new Set(folders), draft);
  return draft.entries();
}

/** Says if there is a file in a folder, or below it. */
function hasSomething(folder: string, files: ReadonlyMap<string, string[]>): boolean {
  for (const [name, inside] of files)
    if (inside.length > 0 && (folder === '' || name === folder || name.startsWith(`${folder}/`))) return true;
  return false;
}

type Draft = ReturnType<typeof createDraft>;

function createDraft(reading: Reading) {
  const list: Entry[] = [];
  const names = new Map<string, Entry>();
  const paths = new Map<string, Entry>();
  const uids = new Set<string>();
  return {
    reading,
    folderAt: (folder: string) => (folder === '' ? undefined : names.get(folder)),
    /** Adds an entry under its names; a taken path gets a number, a taken key the name of the file. */
    add(entry: Omit<Entry, 'uid'>, key: string, aliases: readonly string[]): Entry {
      let free = entry.path;
      for (let number = 1; paths.has(free); number += 1) free = `${entry.path}-${number}`;
      if (free !== entry.path)
        reading.problems.add({
          reason: 'renamed',
          file: entry.name,
          path: entry.path,
          key: 'id',
          message: `Another object has its address; it becomes ${free}.`,
        });
      const own = uidFromPath(`markdown:/${key}`);
      const uid = uids.has(own) ? uidFromPath(`markdown:/${entry.name}`) : own;
      uids.add(uid);
      const placed: Entry = { ...entry, path: free, uid };
      list.push(placed);
      paths.set(free, placed);
      for (const name of aliases) if (!names.has(name)) names.set(name, placed);
      return placed;
    },
    entries: (): Entries => ({ list, byName: names, byPath: paths, position: positionsOf(list) }),
  };
}

/** Positions among siblings: those with a weight first, by weight, then all by name. */
function positionsOf(list: readonly Entry[]): Entries['position'] {
  const children = groupBy(list, ({ path: at }) => (at === '/' ? null : path.posix.dirname(at)));
  const positions = new Map<string, number>();
  for (const siblings of children.values()) {
    siblings.sort(
      (a, b) =>
        (a.weight ?? Number.POSITIVE_INFINITY) - (b.weight ?? Number.POSITIVE_INFINITY) || byName(a.name, b.name),
    );
    for (const [index, { path: at }] of siblings.entries()) positions.set(at, index);
  }
  return (at) => positions.get(at) ?? null;
}

async function addFolder(
  folder: string,
  names: readonly string[],
  folders: ReadonlySet<string>,
  draft: Draft,
): Promise<void> {
  const parent = folder.includes('/') ? path.posix.dirname(folder) : '';
  const container = draft.folderAt(parent)?.path ?? '/';
  const own = folderPage(names);
  // A text beside the folder, with its name, is the page of it.
  const beside = draft.folderAt(folder);
  const place = folder === '' ? '/' : below(container, base(folder));
  if (own !== undefined) {
    const aliases = [folder, within(folder, own), withoutExtension(within(folder, own))];
    await addPage({ name: within(folder, own), path: place, folder, key: folder, aliases }, draft);
  } else if (folder !== '' && !beside) {
    const common = { language: null, translationKey: folder, weight: null, keys: ['title'] };
    draft.add({ ...common, path: place, kind: 'folder', name: folder, folder }, folder, [folder]);
  }
  const home = draft.folderAt(folder)?.path ?? place;
  for (const name of [...names].sort(byName)) {
    const file = within(folder, name);
    if (name === own) continue;
    if (isMarkdown(name)) {
      const stem = withoutExtension(file);
      // The folder of the same name is read later, and may have a page of its own.
      const aliases = folders.has(stem) ? [file] : [file, stem];
      await addPage(
        { name: file, path: below(home, base(stem)), folder, key: stem, aliases },
        draft,
        folders.has(stem),
      );
    } else {
      const kind = kindOf(name);
      const common = { language: null, translationKey: '', weight: null, keys: ['title', kind] };
      draft.add({ ...common, path: below(home, name), kind, name: file, folder }, file, [file]);
    }
  }
}

type Page = { name: string; path: string; folder: string; key: string; aliases: readonly string[] };

/** Adds a page. One that has a folder of its name beside it is the page of that, and keeps its address. */
async function addPage(page: Page, draft: Draft, hasFolder = false): Promise<void> {
  const data: MarkdownText['data'] = (await loadText(draft.reading, page.name))?.data ?? {};
  const stem = base(withoutExtension(page.name));
  const ending = LANGUAGE_ENDING.exec(stem);
  const isFolderPage = FOLDER_PAGES.includes(stem.toLowerCase()) && page.key === page.folder;
  const slug = isFolderPage || hasFolder ? undefined : slugOf(data);
  const place = slug === undefined ? page.path : below(path.posix.dirname(page.path), slug);
  const key = typeof data.translationKey === 'string' ? data.translationKey : null;
  draft.add(
    {
      path: place,
      kind: 'page',
      name: page.name,
      folder: page.folder,
      language: languageOf(data) ?? ending?.[2] ?? null,
      translationKey: key ?? within(page.folder, ending?.[1] ?? stem),
      weight: numberOf(data),
      keys: ['title', 'blocks', 'blocks_layout', ...Object.keys(readMetadata(data, () => {}).fields)],
    },
    page.key,
    hasFolder ? [...page.aliases, withoutExtension(page.name)] : page.aliases,
  );
}
