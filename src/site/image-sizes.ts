import { type Box, DEFAULT_SCALES, type ScaleTable } from '../images/image-scales.ts';
import type { Site } from './site.ts';

const LINE = /^([\w-]{1,100}) +(\d{1,5}):(\d{1,5})$/;

/** The scale that a line such as `large 800:65536` describes; undefined for a line of another form. */
export function parseScaleLine(line: string): { name: string; box: Box } | undefined {
  const [, name, width, height] = LINE.exec(line) ?? [];
  const box: Box = [Number(width), Number(height)];
  return name === undefined || box[0] < 1 || box[1] < 1 ? undefined : { name, box };
}

/** A site is immutable, and its scales are asked for with every picture. */
const known = new WeakMap<Site, ScaleTable>();

/** The scales of pictures: those of the setting `imaging.allowed_sizes`, or the usual ones of a site without it. */
export function siteScales(site: Site): ScaleTable {
  const present = known.get(site);
  if (present) return present;
  const lines = site.settings.get('imaging')?.allowed_sizes;
  const scales = Array.isArray(lines) ? lines.flatMap((line) => parseScaleLine(String(line)) ?? []) : undefined;
  const table = scales ? Object.fromEntries(scales.map(({ name, box }) => [name, box])) : DEFAULT_SCALES;
  known.set(site, table);
  return table;
}
