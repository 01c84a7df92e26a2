import { has } from '../../content/permissions.ts';
import { ACCESS_INACTIVE } from '../../security/permissions.ts';
import { listSetting } from '../../site/site.ts';
import { translationRows } from '../../storage/statements/nav-translations.ts';
import { type Component, componentUrl } from '../components.ts';
import { urlOf } from '../render-context.ts';

/**
 * The same content in other languages, and where the content of each language of the site begins: at its
 * language root, and at the site root where it has none (plone.restapi §7, `@translations`).
 */
export const translations: Component = {
  name: 'translations',
  async expand(context, located) {
    const { site, base, caller } = context;
    const { oid, translationGroup } = located.object;
    const languages = listSetting(site, 'language', 'available_languages');
    const rows = await translationRows(context.db, {
      oid,
      group: translationGroup,
      roots: languages.map((language) => `/${language}`),
      principals: caller.principals,
      inactive: has(site, caller, located, ACCESS_INACTIVE),
    });
    const roots = new Set(
      rows
        .filter(({ isRoot, type }) => isRoot && site.types.get(type)?.behaviorNames.has('navigation_root'))
        .map(({ path }) => path),
    );
    const rootOf = (language: string) => urlOf(base, roots.has(`/${language}`) ? `/${language}` : '/');
    return {
      '@id': componentUrl(context, located, 'translations'),
      items: rows.filter(({ isRoot }) => !isRoot).map(({ path, language }) => ({ '@id': urlOf(base, path), language })),
      root: Object.fromEntries(languages.map((language) => [language, rootOf(language)])),
    };
  },
};
