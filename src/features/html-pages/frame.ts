/** The parts that all pages of a visit share: the site in the language of the reader, its navigation, and the user. */

import {
  localizedSite,
  nativeLanguageTitle,
  negotiation,
  panelSettings,
  panels,
  type Site,
  say,
  siteAddress,
  siteSettings,
} from '#core';
import { listAt, objectAt, textAt } from '#lib/json-members';
import type { JsonObject } from '#lib/json-object';
import { type Visit, withToken } from './visit.ts';

export type Frame = {
  visit: Visit;
  /** The site with titles in the language of the reader. */
  site: Site;
  /** The language tag of the page. */
  language: string;
  /** Translates a text of the program into the language of the page. */
  say(text: string): string;
  /** The languages that the reader can choose, by tag. */
  languages: readonly { tag: string; title: string }[];
  siteTitle: string;
  /** The address of the front end; undefined for none. */
  frontend: string | undefined;
  navigation: readonly JsonObject[];
  /** The actions for the caller, by category; empty when they are not known. */
  actions: JsonObject;
  /** The user; undefined for visitors. */
  user: string | undefined;
};

/** The components of its content that every page needs. */
export const FRAME_COMPONENTS = 'actions,navigation';

/** The name in the session token of a request. Only for tokens that the API has accepted. */
function nameInToken({ headers }: Visit['request']): string {
  const credentials = negotiation.parseCredentials({
    method: 'GET',
    authorization: headers.authorization?.toString(),
    cookie: headers.cookie?.toString(),
  });
  if (credentials?.kind === 'basic') return credentials.login;
  try {
    const claims: unknown = JSON.parse(Buffer.from(credentials?.token.split('.')[1] ?? '', 'base64url').toString());
    return textAt(claims, 'fullname') || textAt(claims, 'sub');
  } catch (error) {
    // A token of another kind contains no name.
    if (error instanceof SyntaxError) return '';
    throw error;
  }
}

/** The last loaded site. Every page is made after a response of the API, which has loaded the site. */
function siteOf({ kernel }: Visit): Site {
  const site = kernel.sites.last;
  if (!site) throw new Error('A page was made before the site was loaded');
  return site;
}

/** Makes the frame of a page from the representation of content with `FRAME_COMPONENTS`; other JSON gives no navigation and no user. */
export function frameOf(visit: Visit, representation: unknown): Frame {
  const stored = siteOf(visit);
  const tag = siteSettings.readerLanguage(stored, visit.acceptLanguage);
  const site = localizedSite(stored, tag);
  const components = objectAt(representation, '@components');
  const actions = objectAt(components, 'actions');
  const isLoggedIn = listAt(actions, 'user').some(({ id }) => id === 'logout');
  return {
    visit,
    site,
    // Words without a translation are English.
    language: tag,
    say: (text) => say(site, text),
    languages: panelSettings(stored, panels.language).available_languages.map((each) => ({
      tag: each,
      title: nativeLanguageTitle(each),
    })),
    siteTitle: panelSettings(stored, panels.site).site_title,
    frontend: siteAddress.ofFrontEnd(visit.kernel, stored),
    navigation: listAt(objectAt(components, 'navigation'), 'items'),
    actions,
    user: isLoggedIn ? nameInToken(visit.request) || say(site, 'User') : undefined,
  };
}

/** The frame of a page that is not about content: the frame of the site root, as far as the caller may view it. */
export async function siteFrame(visit: Visit): Promise<Frame> {
  const response = await visit.get(withToken(visit, `/?expand=${FRAME_COMPONENTS}&b_size=1`));
  return frameOf(visit, response.status === 200 ? response.json : undefined);
}
