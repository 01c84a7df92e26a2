import { randomUUID } from 'node:crypto';
import { assetUrl } from '../../../src/features/html-pages/assets.ts';
import { loadBuiltPage } from '../../../src/features/manage/built-files.ts';
import type { Caller } from './callers.ts';
import type { Row } from './row.ts';
import type { MakeThing, Scene } from './scene.ts';
import { CONTENT_THINGS } from './things-content.ts';
import { THINGS_TO_DECIDE } from './things-decisions.ts';
import { PEOPLE_THINGS } from './things-people.ts';
import { RELEASE_THINGS } from './things-releases.ts';
import { SITE_THINGS } from './things-site.ts';

/** Things that rows can name: lasting ones, and those that are created for each request. */
const AT_HAND: Record<string, (scene: Scene, caller: Caller) => string> = {
  page: ({ page }) => page().path,
  'uid of page': ({ page }) => page().uid,
  self: (_scene, { id }) => id,
  session: (_scene, { token }) => token || 'none',
  n: (scene) => String(scene.number()),
  uuid: () => randomUUID(),
  'script of the page': () => loadBuiltPage()?.script ?? '',
  'hash of styles': () => assetUrl('style.css').split('/')[2] ?? '',
};

const THINGS: Record<string, MakeThing> = {
  ...{ ...CONTENT_THINGS, ...PEOPLE_THINGS, ...SITE_THINGS },
  ...{ ...THINGS_TO_DECIDE, ...RELEASE_THINGS },
};

/** The things of a row by their names. */
export type Things = ReadonlyMap<string, string>;

const NAME = /<([^<>]+)>/g;

/** Creates all things that a row names and that do not exist yet. */
export async function makeThings(scene: Scene, row: Row, caller: Caller): Promise<Things> {
  const { ask, with: parts, query, json, needs, lists } = row;
  const texts = JSON.stringify([parts, query, json, needs, lists]);
  const made = new Map<string, string>();
  for (const name of new Set([...texts.matchAll(NAME)].map(([, name = '']) => name))) {
    if (Object.hasOwn(AT_HAND, name)) continue;
    const makeThing = THINGS[name];
    if (!makeThing) throw new Error(`"${ask}" names <${name}>, which things.ts does not make`);
    made.set(name, await makeThing(scene, caller));
  }
  return made;
}

/** The request of a row for one caller, with the things that it names. */
export function requestOf(
  scene: Scene,
  row: Row,
  { caller, things }: { caller: Caller; things: Things },
): { method: string; address: string; json: unknown; listed: string | undefined } {
  const own = new Map(Object.entries(AT_HAND).map(([name, textFor]) => [name, textFor(scene, caller)]));
  const filled = (text: string): string => text.replace(NAME, (_, name) => own.get(name) ?? things.get(name) ?? '');
  const [method = '', template = ''] = row.ask.split(' ');
  const parts: Record<string, string> = { path: '<page>', ...row.with };
  const address = template
    .replace('/{path}', filled(parts.path ?? ''))
    .replace(/\{(\w+)\}/g, (_, name) => filled(parts[name] ?? ''));
  const query = row.query === undefined ? '' : `?${filled(row.query)}`;
  const json = row.json === undefined ? undefined : JSON.parse(filled(JSON.stringify(row.json)));
  return { method, address: address + query, json, listed: row.lists === undefined ? undefined : filled(row.lists) };
}
