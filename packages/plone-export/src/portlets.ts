import {
  type ExportFolder,
  isEmptyValue,
  isJsonObject,
  memberOf,
  type ProblemLog,
  stringOrNull,
} from '@canopy-server/site-reader';
import { streamJsonList } from './json-list.ts';
import { ROOT_KEYS } from './side-data.ts';
import type { SiteAddress } from './site-address.ts';

/** A portlet that Plone assigns to the root of each site, with the values of an unchanged one. */
type DefaultPortlet = { manager: string; type: string; values: Record<string, readonly unknown[]> };

/** The portlets that the profiles of Plone assign (Products.CMFPlone, plone.app.contenttypes, plone.app.event). */
const DEFAULT_PORTLETS: readonly DefaultPortlet[] = [
  {
    manager: 'plone.footerportlets',
    type: 'portlets.Classic',
    values: { template: ['@@footer', 'footer', 'colophon'] },
  },
  { manager: 'plone.footerportlets', type: 'portlets.Actions', values: { category: ['site_actions'] } },
  {
    manager: 'plone.leftcolumn',
    type: 'portlets.Navigation',
    values: { name: [''], root_uid: [null], currentFolderOnly: [false], includeTop: [false], bottomLevel: [0] },
  },
  { manager: 'plone.rightcolumn', type: 'portlets.News', values: { count: [5] } },
  { manager: 'plone.rightcolumn', type: 'portlets.Events', values: { count: [5], search_base_uid: [null] } },
];

/** True if every Plone has this portlet at the root. Values that the export leaves out count as unchanged. */
const isDefault = (manager: string, type: string, assignment: unknown): boolean =>
  DEFAULT_PORTLETS.some(
    (known) =>
      known.manager === manager &&
      known.type === type &&
      Object.entries(known.values).every(([name, wanted]) => {
        const value = memberOf(assignment, name);
        return value === undefined || wanted.includes(value) || (isEmptyValue(value) && wanted.some(isEmptyValue));
      }),
  );

/** The path of the content with the portlets; null when the content is unknown. */
function pathOf(value: unknown, site: SiteAddress): string | null {
  const uid = stringOrNull(memberOf(value, 'UID')) ?? stringOrNull(memberOf(value, 'uuid'));
  if (uid !== null && ROOT_KEYS.includes(uid)) return '/';
  const id = stringOrNull(memberOf(value, '@id'));
  return id === null ? uid : (site.contentPath(id) ?? id);
}

/** Reports each portlet and each rule about inherited portlets, because this server has none. Portlets of every Plone are not reported. */
export async function reportPortlets(
  folder: ExportFolder,
  names: readonly string[],
  { site, problems }: { site: SiteAddress; problems: ProblemLog },
): Promise<void> {
  for (const file of names) {
    for await (const { value } of streamJsonList(folder, file, problems)) {
      const path = pathOf(value, site);
      const managers = memberOf(value, 'portlets');
      for (const [manager, portlets] of isJsonObject(managers) ? Object.entries(managers) : []) {
        for (const [index, portlet] of (Array.isArray(portlets) ? portlets : []).entries()) {
          const type = stringOrNull(memberOf(portlet, 'type')) ?? 'unknown';
          if (path === '/' && isDefault(manager, type, memberOf(portlet, 'assignment'))) continue;
          const key = `portlets.${manager}.${index}`;
          const message = `Portlets are not imported: one of the type ${type} is left out.`;
          problems.add({ reason: 'unsupported', file, path, key, message });
        }
      }
      for (const key of ['blacklist_status', 'blocked_status']) {
        const rules = memberOf(value, key);
        if (!Array.isArray(rules) || rules.length === 0) continue;
        const message = 'Portlets are not imported: which of them are inherited is left out.';
        problems.add({ reason: 'unsupported', file, path, key, message });
      }
    }
  }
}
