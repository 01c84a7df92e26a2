import type { navigationPanel } from '../../configuration/panels/navigation.ts';
import type { PanelSettings } from '../../configuration/panels/panel.ts';
import type { Site } from '../../configuration/site/site.ts';
import type { TreeRow } from '../../content/statements/navigation.ts';
import { nameOf } from '../../content/tree-path.ts';

type Settings = PanelSettings<(typeof navigationPanel)['settings']>;

const titleOf = ({ navTitle, title }: TreeRow): string => navTitle ?? title;

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Sorts the rows of the first level in the order of the site; rows of lower levels stay in their order. */
function inOrder(rows: readonly TreeRow[], { sort_tabs_on: on, sort_tabs_reversed: reversed }: Settings): TreeRow[] {
  const first = rows.filter(({ level }) => level === 1);
  const textOf = on === 'sortable_title' ? titleOf : ({ path }: TreeRow) => nameOf(path);
  if (on !== 'getObjPositionInParent') first.sort((a, b) => collator.compare(textOf(a), textOf(b)));
  if (reversed) first.reverse();
  return [...first, ...rows.filter(({ level }) => level !== 1)];
}

/**
 * Returns the rows of a tree that the settings of Plone's panel `navigation` show, in their order: the first level may be limited
 * to containers, and some types hide their content. Containers come before their content in `rows`.
 */
export function tabRows(rows: readonly TreeRow[], { types }: Pick<Site, 'types'>, settings: Settings): TreeRow[] {
  const hiding = new Set(settings.parent_types_not_to_query);
  const closed = new Set<number>();
  const shown = rows.filter(({ oid, level, parent, type }) => {
    const isTab = level !== 1 || settings.nonfolderish_tabs || types.get(type)?.folderish === true;
    const isShown = isTab && !(level > 0 && parent !== null && closed.has(parent));
    if (!isShown || (level > 0 && hiding.has(type))) closed.add(oid);
    return isShown;
  });
  return inOrder(shown, settings);
}
