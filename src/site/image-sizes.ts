import { parseScaleLine, type ScaleTable } from '../images/image-scales.ts';
import { panelSettings } from './panel.ts';
import { imagingPanel } from './panels/imaging-panel.ts';
import type { Site } from './site.ts';

/** A site is immutable, and its scales are needed with every picture. */
const known = new WeakMap<Site, ScaleTable>();

/** The scales of pictures: those of the setting `imaging.allowed_sizes`. */
export function siteScales(site: Site): ScaleTable {
  const present = known.get(site);
  if (present) return present;
  const scales = panelSettings(site, imagingPanel).allowed_sizes.flatMap((line) => parseScaleLine(line) ?? []);
  const table = Object.fromEntries(scales.map(({ name, box }) => [name, box]));
  known.set(site, table);
  return table;
}
