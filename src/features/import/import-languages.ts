import { configuration, controlPanels, panelSettings, panels, type Queryable, type Site, siteSettings } from '#core';
import type { ImportRun } from './import-run.ts';
import { importedLanguages } from './statements/languages.ts';

/** The type of the folders that hold the content of a language each (plone.app.multilingual). */
const LANGUAGE_ROOT = 'LRF';

/** Languages that one import can add: a hostile export can name any number of them. */
const MAX_NEW_LANGUAGES = 50;

/** The settings of languages that the content needs and the site lacks, and the lines that say so. */
function wantedSettings(site: Site, { languages, roots }: Awaited<ReturnType<typeof importedLanguages>>) {
  const { available_languages: available, multilingual } = panelSettings(site, panels.language);
  const missing = languages.filter((language) => !available.includes(language));
  const added = missing.filter(siteSettings.isKnownLanguage).slice(0, MAX_NEW_LANGUAGES);
  return {
    available: added.length === 0 ? undefined : [...available, ...added],
    multilingual: !multilingual && roots.length > 1,
    added,
    unknown: missing.filter((language) => !added.includes(language)),
  };
}

/**
 * Adds the languages of the imported content to those of the site, and makes it a multilingual one when the export has folders for
 * several languages. Exports do not carry these settings. The language of the site stays.
 */
export async function importLanguages(run: ImportRun): Promise<void> {
  const { scope, key, site, report } = run;
  const types = [...site.types.values()].flatMap(({ id, aliases = [] }) =>
    [id, ...aliases].includes(LANGUAGE_ROOT) ? [id] : [],
  );
  const found = await importedLanguages(scope.db, key, types);
  const wanted = wantedSettings(site, found);
  if (wanted.available || wanted.multilingual) await scope.write((tx) => writeSettings(tx, run, found));
  const line = (name: string, message: string, reason: 'added' | 'doubtful' = 'added') =>
    report.add({ reason, path: '/', key: name, message });
  if (wanted.added.length > 0)
    line(
      'available_languages',
      `Content is in ${wanted.added.join(', ')}: added to the languages of the site. See canopy set language.available_languages.`,
    );
  if (wanted.multilingual)
    line(
      'multilingual',
      `There are folders of the languages ${found.roots.join(', ')}: the site is multilingual now. See canopy set language.multilingual.`,
    );
  if (wanted.unknown.length > 0)
    line(
      'available_languages',
      `Content is in ${wanted.unknown.join(', ').slice(0, 300)}, which is not among the languages of the site and cannot be added.`,
      'doubtful',
    );
}

/** Writes the settings as they are needed once nobody else can change them. */
async function writeSettings(
  tx: Queryable,
  { kernel }: ImportRun,
  found: Awaited<ReturnType<typeof importedLanguages>>,
): Promise<void> {
  await configuration.lock(tx);
  const { version, rows } = await configuration.load(tx);
  const site = configuration.build(version, rows, kernel);
  const { available, multilingual } = wantedSettings(site, found);
  const values: Record<string, unknown> = {
    ...(available ? { available_languages: available } : {}),
    ...(multilingual ? { multilingual } : {}),
  };
  const changes = panels.language.settings.flatMap((setting) =>
    Object.hasOwn(values, setting.name) ? [{ panel: panels.language, setting, value: values[setting.name] }] : [],
  );
  // The operator of an import has the database, and may do everything.
  const editor = { requirePermission() {}, nameOf: (_panel: unknown, name: string) => `language.${name}` };
  await configuration.write(tx, controlPanels.rowsOf(kernel, site, { changes, problems: [] }, editor));
}
