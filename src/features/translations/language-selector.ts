import {
  defineService,
  findContent,
  has,
  panelSettings,
  panels,
  requests,
  type Site,
  siteSettings,
  urlOf,
  VIEW,
} from '#core';
import { isMultilingual } from './language-roots.ts';
import { isLanguageRoot } from './translation-group.ts';

/** The cookie in which Plone and Volto store the chosen language of a reader. */
const COOKIE = /(?:^|;)\s*I18N_LANGUAGE="?([A-Za-z-]{2,20})"?\s*(?:;|$)/;

/** The languages for a reader, the best one first: from the cookie, from the browser, and the language of the site. */
function suitable(site: Site, cookie: string | undefined, acceptLanguage: string | undefined): string[] {
  const { available_languages: available, ...settings } = panelSettings(site, panels.language);
  const chosen = settings.use_cookie_negotiation ? COOKIE.exec(cookie ?? '')?.[1]?.toLowerCase() : undefined;
  return [
    ...available.filter((language) => language === chosen),
    siteSettings.readerLanguage(site, acceptLanguage),
    settings.default_language,
  ];
}

/**
 * GET `@@multilingual-selector`: redirects to the folder of the best language for the reader, like the view of plone.app.multilingual at the site
 * root; to the site root when the reader may view no such folder.
 */
export const getLanguageSelector = defineService({
  name: '@@multilingual-selector',
  method: 'GET',
  context: 'site',
  permission: VIEW,
  tag: 'translations',
  summary: 'Leads to the folder of the language that suits the reader best.',
  responses: {
    302: {
      description: 'The content of that language begins there.',
      headers: { Location: { description: 'The address of the folder, or of the site root.' } },
    },
  },
  async run(context) {
    const { kernel, site, caller, base } = context;
    const languages = isMultilingual(site)
      ? suitable(site, requests.headerOf(context, 'cookie'), requests.headerOf(context, 'accept-language'))
      : [];
    let path = '/';
    for (const language of new Set(languages)) {
      const resolved = await findContent(kernel, `/${language}`);
      if (!resolved || !isLanguageRoot(site, resolved.object) || !has(site, caller, resolved, VIEW)) continue;
      path = resolved.object.path;
      break;
    }
    return {
      status: 302,
      headers: {
        Location: urlOf(base, path),
        'Cache-Control': 'private, no-cache',
        Vary: 'Accept-Language, Authorization, Cookie',
      },
    };
  },
});
