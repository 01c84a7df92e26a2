import { randomUUID } from 'node:crypto';
import {
  type Caller,
  type ContentEvents,
  type ContentType,
  contentPath,
  type Kernel,
  nativeLanguageTitle,
  panelSettings,
  panels,
  type Site,
  speaksPlone,
  type Transaction,
  transitionContent,
  tree,
  workflowOf,
} from '#core';
import type { JsonObject } from '#lib/json-object';
import { rootsAt } from './statements.ts';
import { isLanguageRoot } from './translation-group.ts';

/** The type of the folders with the content of one language each. */
const LANGUAGE_ROOT = 'LRF';
/** The type of the folders for what all languages share, and the name of this folder in each language (plone.app.multilingual). */
const INDEPENDENT = 'LIF';
const SHARED_FOLDER = 'assets';
const PUBLISH = 'publish';

/** True if each language of a site has its content in a folder of its own. */
export const isMultilingual = (site: Site): boolean => panelSettings(site, panels.language).multilingual;

/** The languages that need a folder, the language of the site first; none on a site in one language. */
function languagesOf(site: Site): string[] {
  const { multilingual, default_language: first, available_languages: all } = panelSettings(site, panels.language);
  return multilingual ? [...new Set([first, ...all])] : [];
}

/** The type with this name, which sites may have renamed. */
const typeNamed = (site: Site, name: string): ContentType | undefined =>
  [...site.types.values()].find(({ id, aliases = [] }) => [id, ...aliases].includes(name));

/** A new folder of a language: its title stands on its page. */
function folderOf(type: ContentType, language: string): JsonObject {
  const block = randomUUID();
  const page = { blocks: { [block]: { '@type': 'title' } }, blocks_layout: { items: [block] } };
  return {
    '@type': type.id,
    id: language,
    language,
    title: nativeLanguageTitle(language),
    ...(type.fieldByName.has('blocks') && page),
  };
}

/** A new folder for the content that all languages share; it is in no menu. */
const sharedFolderOf = (type: ContentType, language: string): JsonObject => ({
  '@type': type.id,
  id: SHARED_FOLDER,
  language,
  title: 'Assets',
  exclude_from_nav: true,
});

/** One kind of folders, of which each language gets one. */
type Folders = {
  type: ContentType;
  /** The container of the folder of a language, and its path. */
  placeOf(language: string): { container: string; path: string };
  inputOf(language: string): JsonObject;
  /** True if the content at the path is already such a folder. */
  isOne(found: { path: string; type: string; language: string | null }): boolean;
};

/** Makes the folders of one kind that are missing, published and linked as translations. Returns their paths. */
async function makeFolders(
  kernel: Kernel,
  { tx, caller, site }: { tx: Transaction; caller: Caller; site: Site },
  { languages, type, placeOf, inputOf, isOne }: Folders & { languages: readonly string[] },
): Promise<string[]> {
  const paths = languages.map((language) => placeOf(language).path);
  const present = new Map((await rootsAt(tx, paths)).map((found) => [found.path, found]));
  let original = [...present.values()].find(isOne)?.path;
  const made: string[] = [];
  for (const language of languages) {
    const { container, path: wanted } = placeOf(language);
    if (present.has(wanted)) continue;
    const input = { ...inputOf(language), ...(original !== undefined && { translation_of: original }) };
    const { path } = await tree.create(kernel, { caller, container, input, bases: [] }, { tx });
    original ??= path;
    made.push(path);
    if (workflowOf(site, type.id)?.transitions[PUBLISH])
      await transitionContent(kernel, { caller, path, transition: PUBLISH }, { tx });
  }
  return made;
}

/**
 * Makes the folders for the languages of a multilingual site, and in each a folder for shared content, in the given transaction
 * (plone.app.multilingual, SetupMultilingualSite). Existing content at such an address stays unchanged. Returns the paths of the new folders.
 */
export async function makeLanguageFolders(
  kernel: Kernel,
  within: { tx: Transaction; caller: Caller; site: Site },
): Promise<string[]> {
  const { tx, site } = within;
  const languages = languagesOf(site);
  const [type, shared] = [typeNamed(site, LANGUAGE_ROOT), typeNamed(site, INDEPENDENT)];
  if (!type || languages.length === 0) return [];
  const roots = await makeFolders(kernel, within, {
    ...{ languages, type },
    placeOf: (language) => ({ container: contentPath.ROOT, path: `/${language}` }),
    inputOf: (language) => folderOf(type, language),
    isOne: (found) => isLanguageRoot(site, found),
  });
  if (!shared) return roots;
  const present = await rootsAt(
    tx,
    languages.map((language) => `/${language}`),
  );
  const folders = await makeFolders(kernel, within, {
    // The content at the address of a language root may be of another type.
    languages: present.flatMap((found) =>
      found.type === type.id && isLanguageRoot(site, found) ? (found.language ?? []) : [],
    ),
    type: shared,
    placeOf: (language) => ({ container: `/${language}`, path: `/${language}/${SHARED_FOLDER}` }),
    inputOf: (language) => sharedFolderOf(shared, language),
    isOne: (found) => found.type === shared.id && found.language !== null,
  });
  return [...roots, ...folders];
}

/**
 * Makes the folders of the languages that a change of the settings has added, in the transaction of the change; a site that goes back to one language
 * keeps its folders. On sites without the types of Plone, Managers make the folders with `@language-folders`.
 */
export async function followLanguages(
  kernel: Kernel,
  { panels: changed, before }: ContentEvents['settings.changed'],
  { tx, caller }: { tx: Transaction; caller: Caller },
): Promise<void> {
  if (!changed.includes(panels.language.id)) return;
  const site = await kernel.sites.within(tx);
  const known = new Set(languagesOf(before));
  if (!speaksPlone(site) || languagesOf(site).every((language) => known.has(language))) return;
  await makeLanguageFolders(kernel, { tx, caller, site });
}
