import { randomUUID } from 'node:crypto';
import { createWithin } from '../../content/create-content.ts';
import { transitionWithin } from '../../content/transition-content.ts';
import { ROOT } from '../../content/tree-path.ts';
import { nativeLanguageTitle } from '../../i18n/languages.ts';
import type { ContentEvents } from '../../kernel/events.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { JsonObject } from '../../lib/json-object.ts';
import type { Caller } from '../../security/caller.ts';
import { panelSettings } from '../../site/panel.ts';
import { languagePanel } from '../../site/panels/languages.ts';
import { speaksPlone } from '../../site/plone-names.ts';
import type { Site } from '../../site/site.ts';
import type { Transaction } from '../../storage/database.ts';
import { configurationVersion } from '../../storage/statements/configuration.ts';
import type { ContentType } from '../../types/content-type.ts';
import { workflowOf } from '../../workflow/workflow.ts';
import { rootsAt } from './statements.ts';
import { isLanguageRoot } from './translation-group.ts';

/** The type of the folders that hold the content of a language each. */
const LANGUAGE_ROOT = 'LRF';
const PUBLISH = 'publish';

/** Whether the content of each language of a site lies in a folder of its own. */
export const isMultilingual = (site: Site): boolean => panelSettings(site, languagePanel).multilingual;

/** The languages that need a folder, the one of the site first; none on a site in one language. */
function languagesOf(site: Site): string[] {
  const { multilingual, default_language: first, available_languages: all } = panelSettings(site, languagePanel);
  return multilingual ? [...new Set([first, ...all])] : [];
}

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

/**
 * Makes the folders of the languages that a change of the settings has added, published and linked as translations, in the
 * transaction of the change (plone.app.multilingual, SetupMultilingualSite). What lies at such an address already stays as it
 * is, and a site that goes back to one language keeps its folders. On sites that are not known as Plone's editors add them.
 */
export async function makeLanguageRoots(
  kernel: Kernel,
  { panels, before }: ContentEvents['settings.changed'],
  { tx, caller }: { tx: Transaction; caller: Caller },
): Promise<void> {
  if (!panels.includes(languagePanel.id)) return;
  const site = await kernel.sites.at(await configurationVersion(tx), tx);
  const type = [...site.types.values()].find(({ id, aliases = [] }) => [id, ...aliases].includes(LANGUAGE_ROOT));
  const languages = languagesOf(site);
  const known = new Set(languagesOf(before));
  if (!type || !speaksPlone(site) || languages.every((language) => known.has(language))) return;
  const present = new Map(
    (
      await rootsAt(
        tx,
        languages.map((language) => `/${language}`),
      )
    ).map((root) => [root.path, root]),
  );
  let original = [...present.values()].find((root) => isLanguageRoot(site, root))?.path;
  for (const language of languages) {
    if (present.has(`/${language}`)) continue;
    const input = { ...folderOf(type, language), ...(original !== undefined && { translation_of: original }) };
    const { path } = await createWithin(kernel, tx, { caller, container: ROOT, input, bases: [] });
    original ??= path;
    if (workflowOf(site, type.id)?.transitions[PUBLISH])
      await transitionWithin(kernel, tx, { caller, path, transition: PUBLISH });
  }
}
