import { has } from '../../content/permissions.ts';
import { ACCESS_INACTIVE } from '../../security/permissions.ts';
import { type Component, componentUrl } from '../../serializer/components.ts';
import { urlOf } from '../../serializer/render-context.ts';
import { listSetting } from '../../site/site.ts';
import { translationRows } from './statements/nav-translations.ts';

/**
 * The same content in other languages, and where the content of each language of the site begins: at its
 * language root, and at the site root where it has none (plone.restapi §7, `@translations`).
 */
export const translations: Component = {
  name: 'translations',
  async expand(context, resolved) {
    const { site, base, caller } = context;
    const { oid, translationGroup } = resolved.object;
    const languages = listSetting(site, 'language', 'available_languages');
    const rows = await translationRows(context.db, {
      oid,
      group: translationGroup,
      roots: languages.map((language) => `/${language}`),
      principals: caller.principals,
      inactive: has(site, caller, resolved, ACCESS_INACTIVE),
    });
    const roots = new Set(
      rows
        .filter(({ isRoot, type }) => isRoot && site.types.get(type)?.behaviorNames.has('navigation_root'))
        .map(({ path }) => path),
    );
    const rootOf = (language: string) => urlOf(base, roots.has(`/${language}`) ? `/${language}` : '/');
    return {
      '@id': componentUrl(context, resolved, 'translations'),
      items: rows.filter(({ isRoot }) => !isRoot).map(({ path, language }) => ({ '@id': urlOf(base, path), language })),
      root: Object.fromEntries(languages.map((language) => [language, rootOf(language)])),
    };
  },
};
